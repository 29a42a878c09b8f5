// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator has seen. Not thread safe. */
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class FooStatus {

  /**
   * The type of the one condition: the Foo can't be had until somebody changes something. It is
   * there as long as that is so, and a Foo that is well has none.
   */
  static final String STALLED = "Stalled";

  private int availableReplicas;

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  private List<Condition> conditions = new ArrayList<>();

  /** How many replicas of the Deployment are available. */
  public int getAvailableReplicas() {
    return availableReplicas;
  }

  /** Sets the number of available replicas. */
  public void setAvailableReplicas(int availableReplicas) {
    this.availableReplicas = availableReplicas;
  }

  /** What is wrong, one entry per type; empty if nothing is. */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }

  /** Whether the other status says the same; one that is missing says that nothing is available. */
  boolean isSameAs(@Nullable FooStatus other) {
    FooStatus known = other == null ? new FooStatus() : other;
    return availableReplicas == known.availableReplicas && conditions.equals(known.conditions);
  }
}
