// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * A cluster-scoped custom resource that requests Namespaces and the permissions of an administrator
 * in each Namespace. The build generates its CRD from this class, {@link TenantSpec} and {@link
 * TenantStatus}.
 */
// sample: columns
@Group(Tenant.GROUP)
@Version("v1")
@AdditionalPrinterColumn(name = "ADMIN", jsonPath = ".spec.admin.name")
@AdditionalPrinterColumn(name = "PREFIX", jsonPath = ".spec.namespacePrefix")
@AdditionalPrinterColumn(name = "READY", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
// end
public final class Tenant extends CustomResource<TenantSpec, TenantStatus> {

  /** The API group. */
  static final String GROUP = "multitenancy.example.com";

  private static final long serialVersionUID = 1L;

  // sample: spec
  /** Returns the specification. The API server rejects a Tenant without it. */
  @Required
  @Override
  public TenantSpec getSpec() {
    return super.getSpec();
  }

  // end

  /** Sets the specification; null sets an empty specification. */
  @Override
  public void setSpec(@Nullable TenantSpec spec) {
    super.setSpec(spec == null ? new TenantSpec() : spec);
  }

  @Override
  protected TenantSpec initSpec() {
    return new TenantSpec();
  }
}
