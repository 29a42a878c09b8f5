// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;

/** The observed state of a Tenant. */
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class TenantStatus {

  /**
   * The type of the only condition that a Tenant can have. The condition is true if all objects
   * that the Tenant requests exist.
   */
  static final String READY = "Ready";

  private List<Condition> conditions = new ArrayList<>();

  /** Returns the conditions, at most one per type. */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
