// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.examples.frameworks.spring.OperatorConfiguration;
import dev.windlass.examples.frameworks.spring.OperatorHealth;
import dev.windlass.examples.frameworks.spring.OperatorLifecycle;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** The beans of the Spring application, in a context of their own. */
@Timeout(60)
final class SpringOperatorTest {

  private static AnnotationConfigApplicationContext context(KubernetesClient client) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("windlass.namespace", "default")));
    context.registerBean(KubernetesClient.class, () -> client);
    context.register(OperatorConfiguration.class, OperatorLifecycle.class, OperatorHealth.class);
    context.refresh();
    return context;
  }

  @Test
  void runsTheOperatorUntilTheContextIsClosed() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      assertThat(runAndFail(client).isStopping()).isTrue();
    }
  }

  /** Returns the manager of a context that has been closed. */
  private static Manager runAndFail(KubernetesClient client) {
    try (AnnotationConfigApplicationContext context = context(client)) {
      client
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("first")
                  .addToLabels("check", "yes")
                  .endMetadata()
                  .build())
          .create();
      await().until(() -> labels(client).containsKey("checked"));
      OperatorHealth health = context.getBean(OperatorHealth.class);
      assertThat(health.health().getStatus()).isEqualTo(Status.UP);
      Manager manager = context.getBean(Manager.class);
      manager.fail(new IllegalStateException("the disk is full"));
      await().until(() -> health.health().getStatus().equals(Status.DOWN));
      assertThat(health.health().getDetails().toString()).contains("the disk is full");
      return manager;
    }
  }

  private static Map<String, String> labels(KubernetesClient client) {
    return client
        .configMaps()
        .inNamespace("default")
        .withName("first")
        .get()
        .getMetadata()
        .getLabels();
  }
}
