// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

/** The rules of the generated CRD, on the embedded server. No operator runs. */
final class TenantRulesTest {

  // sample: test
  @Test
  void rejectsAnotherPrefix() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      server.install(Tenant.class); // the CRD that the build has generated
      Tenant tenant = client.resource(TenantArtifacts.sample("blue")).create();
      tenant.getSpec().setNamespacePrefix("other-");
      assertThatThrownBy(() -> client.resource(tenant).update())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("spec.namespacePrefix field should not be changed");
    }
  }

  // end

  @Test
  void requiresAnAdministrator() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      server.install(Tenant.class);
      Tenant tenant = TenantArtifacts.sample("blue");
      tenant.getSpec().setAdmin(null);
      assertThatThrownBy(() -> client.resource(tenant).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("spec.admin");
    }
  }
}
