// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.examples.testing.Manifests;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ServiceReference;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** The files that run the operator in a cluster. */
final class SiteManifestsTest {

  private final Manifests manifests = new Manifests();

  private static WebhookClientConfig clientConfig(CustomResourceDefinition definition) {
    return definition.getSpec().getConversion().getWebhook().getClientConfig();
  }

  /** It differs only in the address of the webhook. */
  @Test
  void crdIsTheOneThatShipsBehindTheService() throws IOException {
    CustomResourceDefinition shipped;
    try (InputStream file = SiteOperator.class.getResourceAsStream("/config/crd.yaml")) {
      shipped = Serialization.unmarshal(file, CustomResourceDefinition.class);
    }
    CustomResourceDefinition deployed =
        (CustomResourceDefinition) manifests.read("crd.yaml").get(0);
    assertThat(clientConfig(deployed).getService())
        .isEqualTo(new ServiceReference("sites-operator", "versions-system", "/convert", 443));
    assertThat(manifests.read("service.yaml"))
        .singleElement()
        .satisfies(
            service -> {
              assertThat(service.getMetadata().getName()).isEqualTo("sites-operator");
              assertThat(service.getMetadata().getNamespace()).isEqualTo("versions-system");
            });
    clientConfig(shipped).setUrl(null);
    clientConfig(shipped).setService(clientConfig(deployed).getService());
    assertThat(Serialization.asJson(deployed)).isEqualTo(Serialization.asJson(shipped));
  }

  @Test
  void rightsAreThosePrinted() {
    manifests.assertRights(new SiteOperator());
  }

  @Test
  void deploymentAndServiceAccountAndRightsFit() {
    manifests.assertTheyFit(9090);
  }
}
