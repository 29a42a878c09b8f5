// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * The custom resource: asks for Namespaces, and for the rights of an administrator in each. It
 * lives in no namespace itself. The CRD is generated of this class, {@link TenantSpec} and {@link
 * TenantStatus} when the example is built.
 */
@Group(Tenant.GROUP)
@Version("v1")
@AdditionalPrinterColumn(name = "ADMIN", jsonPath = ".spec.admin.name")
@AdditionalPrinterColumn(name = "PREFIX", jsonPath = ".spec.namespacePrefix")
@AdditionalPrinterColumn(name = "READY", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
public final class Tenant extends CustomResource<TenantSpec, TenantStatus> {

  /** The API group. */
  static final String GROUP = "multitenancy.example.com";

  private static final long serialVersionUID = 1L;

  /** Where somebody has written null, there is a specification without anything. */
  @Override
  public void setSpec(@Nullable TenantSpec spec) {
    super.setSpec(spec == null ? new TenantSpec() : spec);
  }

  @Override
  protected TenantSpec initSpec() {
    return new TenantSpec();
  }
}
