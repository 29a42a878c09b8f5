// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;

/** What the operator has found out. */
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class TenantStatus {

  /** The type of the one condition: all that the Tenant asks for is there. */
  static final String READY = "Ready";

  private List<Condition> conditions = new ArrayList<>();

  /** The conditions, one per type. */
  public List<Condition> getConditions() {
    return conditions;
  }

  /** Sets the conditions. */
  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
