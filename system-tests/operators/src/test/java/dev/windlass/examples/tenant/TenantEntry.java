// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

/** Opens the Tenant operator to tests in other packages. */
public final class TenantEntry {

  private TenantEntry() {}

  /** Sample A under another name, and with another prefix. */
  public static Tenant sample(String name, String prefix) {
    Tenant tenant = TenantArtifacts.sample(name);
    tenant.getSpec().setNamespacePrefix(prefix);
    return tenant;
  }
}
