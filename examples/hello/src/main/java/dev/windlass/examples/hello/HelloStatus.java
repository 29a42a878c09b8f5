// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator has seen. Not thread safe. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class HelloStatus {

  /**
   * The type of the one condition: the Hello can't be had until somebody changes it. It is there as
   * long as that is so, and a Hello that is well has none.
   */
  static final String STALLED = "Stalled";

  private @Nullable String phase;
  private List<Condition> conditions = new ArrayList<>();

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

  /** What is wrong, one entry per type; empty if nothing is. */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
