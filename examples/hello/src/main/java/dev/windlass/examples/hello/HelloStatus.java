// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a Hello. This class is not thread-safe. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class HelloStatus {

  /**
   * The type of the only condition that a Hello can have. The condition reports that the Hello is
   * invalid, and is removed when a user has corrected the Hello.
   */
  static final String STALLED = "Stalled";

  private @Nullable String phase;
  private List<Condition> conditions = new ArrayList<>();

  /**
   * Returns the phase, which is the name of a {@link HelloPhase}, or null if the Hello has not been
   * reconciled. The type is {@code String} because another client may have written a different
   * value.
   */
  public @Nullable String getPhase() {
    return phase;
  }

  /** Sets the phase. */
  public void setPhase(@Nullable String phase) {
    this.phase = phase;
  }

  /**
   * Returns the conditions that report current problems, at most one per type. The list is empty if
   * there are no problems.
   */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
