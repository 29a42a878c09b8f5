// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The files that users apply with kubectl, for tests. */
final class TenantArtifacts {

  private TenantArtifacts() {}

  /** The CRD as it was generated. */
  static CustomResourceDefinition crd() {
    return read(
        "/META-INF/fabric8/tenants.multitenancy.example.com-v1.yml",
        CustomResourceDefinition.class);
  }

  /** Sample A, whose administrator is a ServiceAccount, under another name and prefix. */
  static Tenant sample(String name) {
    return named(name, "/artifacts/samples/multitenancy_v1_tenant.yaml");
  }

  /** Sample B, whose administrator is a User. */
  static Tenant sampleOfAUser(String name) {
    return named(name, "/artifacts/samples/tenant-of-a-user.yaml");
  }

  private static Tenant named(String name, String file) {
    Tenant tenant = read(file, Tenant.class);
    tenant.getMetadata().setName(name);
    tenant.getSpec().setNamespacePrefix(name + "-");
    return tenant;
  }

  /** The same that asks for other Namespaces. */
  static Tenant sample(String name, String... namespaces) {
    Tenant tenant = sample(name);
    tenant.getSpec().setNamespaces(List.of(namespaces));
    return tenant;
  }

  static <T> T read(String resource, Class<T> type) {
    try (InputStream in = TenantArtifacts.class.getResourceAsStream(resource)) {
      return Serialization.unmarshal(in, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
