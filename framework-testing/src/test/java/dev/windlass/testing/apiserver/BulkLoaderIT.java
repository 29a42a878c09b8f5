// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a real server. More than the 2,000 objects that show that it works, and how fast:
 *
 * <pre>mvn verify -Pit -Dit.test=BulkLoaderIT -Dbulk.count=100000 -Dbulk.inFlight=64</pre>
 */
class BulkLoaderIT {

  private static final Logger log = LoggerFactory.getLogger(BulkLoaderIT.class);
  private static final String NAMESPACE = "default";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  @Test
  void createsManyCustomResourcesQuickly() throws InterruptedException {
    int count = Integer.getInteger("bulk.count", 2_000);
    kubernetes.server().install(loads());
    try (KubernetesClient client = kubernetes.server().newClient()) {
      BulkLoad load =
          BulkLoader.with(client)
              .inFlight(Integer.getInteger("bulk.inFlight", 64))
              .create(
                  "apis/windlass.dev/v1/namespaces/" + NAMESPACE + "/loads",
                  count,
                  BulkLoaderIT::load);

      log.info("{}", load);
      var page =
          client
              .genericKubernetesResources("windlass.dev/v1", "Load")
              .inNamespace(NAMESPACE)
              .list(new ListOptionsBuilder().withLimit(1L).build());
      assertThat(page.getMetadata().getRemainingItemCount()).isEqualTo(count - 1);
      assertThat(load.perSecond()).isPositive();
    }
  }

  private static String load(int index) {
    return """
        {"apiVersion":"windlass.dev/v1","kind":"Load",
         "metadata":{"name":"load-%06d","labels":{"shard":"%d"}},
         "spec":{"deploymentName":"deployment-of-load-%06d","replicas":%d,"colour":"blue"}}
        """
        .formatted(index, index % 100, index, 1 + index % 10);
  }

  private static CustomResourceDefinition loads() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName("loads.windlass.dev")
        .endMetadata()
        .withNewSpec()
        .withGroup("windlass.dev")
        .withScope("Namespaced")
        .withNewNames()
        .withKind("Load")
        .withPlural("loads")
        .endNames()
        .addNewVersion()
        .withName("v1")
        .withServed(true)
        .withStorage(true)
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }
}
