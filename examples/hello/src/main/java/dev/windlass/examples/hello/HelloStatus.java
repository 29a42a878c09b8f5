// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** What the operator has seen. Not thread safe. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public final class HelloStatus {

  private @Nullable String phase;

  /**
   * How far the Hello is: one of {@link HelloPhase}, as text, since anybody with the right to may
   * have written something else; null for one that nobody has looked at.
   */
  public @Nullable String getPhase() {
    return phase;
  }

  /** Sets the phase. */
  public void setPhase(@Nullable String phase) {
    this.phase = phase;
  }
}
