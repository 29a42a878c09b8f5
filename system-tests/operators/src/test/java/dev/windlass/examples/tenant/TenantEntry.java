// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/** Opens the Tenant operator to tests in other packages. */
public final class TenantEntry {

  private TenantEntry() {}

  /** The whole operator, as the program registers it; with all that runs beside it. */
  public static ControllerBuilder<Tenant> controller(Manager manager) {
    return TenantController.builder(manager);
  }

  /** As users apply it. */
  public static CustomResourceDefinition crd() {
    return TenantArtifacts.crd();
  }

  /** Sample A under another name, and with another prefix. */
  public static Tenant sample(String name, String prefix) {
    Tenant tenant = TenantArtifacts.sample(name);
    tenant.getSpec().setNamespacePrefix(prefix);
    return tenant;
  }
}
