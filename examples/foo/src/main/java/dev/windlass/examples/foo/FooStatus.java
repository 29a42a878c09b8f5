// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a Foo. This class is not thread-safe. */
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class FooStatus {

  /**
   * The type of the only condition that a Foo can have. The condition reports a problem that only a
   * user can fix, and is removed when the problem is fixed.
   */
  static final String STALLED = "Stalled";

  private int availableReplicas;

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  private List<Condition> conditions = new ArrayList<>();

  /** Returns the number of available replicas of the Deployment. */
  public int getAvailableReplicas() {
    return availableReplicas;
  }

  /** Sets the number of available replicas. */
  public void setAvailableReplicas(int availableReplicas) {
    this.availableReplicas = availableReplicas;
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

  /**
   * Returns whether the given status equals this one. Null is treated as an empty status, which has
   * no available replicas and no conditions.
   */
  boolean isSameAs(@Nullable FooStatus other) {
    FooStatus known = other == null ? new FooStatus() : other;
    return availableReplicas == known.availableReplicas && conditions.equals(known.conditions);
  }
}
