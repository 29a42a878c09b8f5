// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a Hello. Not thread safe. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true) // fields of a newer CRD
public final class HelloStatus {

  /**
   * The type of the only condition: the Hello is invalid until a user changes it. The condition
   * exists while the problem lasts; a healthy Hello has none.
   */
  static final String STALLED = "Stalled";

  private @Nullable String phase;
  private List<Condition> conditions = new ArrayList<>();

  /**
   * Returns the phase, one of {@link HelloPhase}; null for a Hello that has not been reconciled. It
   * is text because other writers of the status may have set another value.
   */
  public @Nullable String getPhase() {
    return phase;
  }

  /** Sets the phase. */
  public void setPhase(@Nullable String phase) {
    this.phase = phase;
  }

  /** Returns the current problems, one condition per type; empty if there are none. */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
