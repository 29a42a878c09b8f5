// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The README, command by command, on a real API server: the program in a process of its own. */
final class QuickstartIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  @TempDir private Path folder;
  private KubernetesClient kubectl;
  private JavaProcess operator;

  @BeforeEach
  void startsTheProgram() throws IOException {
    kubectl = kubernetes.server().newClient();
    try (InputStream crd =
        getClass()
            .getResourceAsStream("/META-INF/fabric8/greetings.quickstart.windlass.dev-v1.yml")) {
      kubernetes.server().install(Serialization.unmarshal(crd, CustomResourceDefinition.class));
    }
    Path kubeconfig =
        Files.writeString(folder.resolve("kubeconfig"), kubernetes.server().kubeconfig());
    operator = JavaProcess.start(Map.of("KUBECONFIG", kubeconfig.toString()), Quickstart.class);
  }

  @AfterEach
  void endsTheProgram() {
    operator.close();
    kubectl.close();
  }

  private Resource<Greeting> first() {
    return kubectl.resources(Greeting.class).inNamespace("default").withName("first");
  }

  private Resource<ConfigMap> configMap() {
    return kubectl.configMaps().inNamespace("default").withName("first");
  }

  private void awaitGreeting(String text) {
    eventually()
        .untilAsserted(
            () -> {
              ConfigMap found = configMap().get();
              assertThat(found).isNotNull();
              assertThat(found.getData()).containsEntry("greeting", text);
            });
  }

  @Test
  void doesWhatTheReadmePromises() throws Exception {
    Greeting greeting =
        Serialization.unmarshal(Files.readString(Path.of("greeting.yaml")), Greeting.class);
    greeting.getMetadata().setNamespace("default");
    kubectl.resource(greeting).create();
    awaitGreeting("Hello, reader!");

    configMap()
        .edit(
            map -> {
              map.getData().put("greeting", "Go away!");
              return map;
            });
    awaitGreeting("Hello, reader!");
    configMap().delete();
    awaitGreeting("Hello, reader!");
    first()
        .edit(
            found -> {
              found.getSpec().setName("writer");
              return found;
            });
    awaitGreeting("Hello, writer!");

    // It goes when the Greeting goes: the garbage collector takes it, and nobody makes it again.
    first().delete();
    eventually().until(() -> first().get() == null && configMap().get() == null);

    operator.terminate();
    assertThat(operator.awaitExit()).as("%s", operator.lines()).isZero();
    assertThat(operator.lines()).noneMatch(line -> line.contains("ERROR"));
  }
}
