// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.windlass.behaviour.Proves;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.rbac.UsedPermissions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the README begins with works, and is what stands there. */
final class QuickstartTest {

  private static final Path README = Path.of("..", "..", "README.md");

  private static final Path SOURCE =
      Path.of("src/main/java/dev/windlass/examples/quickstart/Quickstart.java");

  private final UsedPermissions used = new UsedPermissions();
  private EmbeddedApiServer server;
  private KubernetesClient kubectl;
  private KubernetesClient operatorClient;
  private Manager manager;

  @BeforeEach
  void startsTheOperator() {
    server = EmbeddedApiServer.start();
    kubectl = server.newClient();
    server.install(Greeting.class);
    operatorClient = used.client(server.clientConfig());
    manager = Manager.builder().client(operatorClient).build();
    Quickstart.register(manager);
    manager.start();
  }

  @AfterEach
  void stopsTheOperator() {
    assertThat(manager.stop()).isTrue();
    operatorClient.close();
    kubectl.close();
    server.close();
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
  }

  private void createFirst() throws IOException {
    Greeting first =
        Serialization.unmarshal(Files.readString(Path.of("greeting.yaml")), Greeting.class);
    first.getMetadata().setNamespace("default");
    kubectl.resource(first).create();
  }

  private Resource<ConfigMap> configMap() {
    return kubectl.configMaps().inNamespace("default").withName("first");
  }

  private void awaitGreeting(String text) {
    eventually()
        .untilAsserted(
            () -> {
              assertThat(configMap().get()).isNotNull();
              assertThat(configMap().get().getData()).containsEntry("greeting", text);
            });
  }

  @Test
  @Proves("003-02")
  void keepsTheConfigMapAsTheGreetingAsks() throws IOException {
    createFirst();
    awaitGreeting("Hello, reader!");
    configMap()
        .edit(
            map -> {
              map.getData().put("greeting", "Go away!");
              map.getData().put("other", "stays");
              return map;
            });
    awaitGreeting("Hello, reader!");
    assertThat(configMap().get().getData()).containsEntry("other", "stays");
    configMap().delete();
    awaitGreeting("Hello, reader!");
    kubectl
        .resources(Greeting.class)
        .inNamespace("default")
        .withName("first")
        .edit(
            greeting -> {
              greeting.getSpec().setName("writer");
              return greeting;
            });
    awaitGreeting("Hello, writer!");
    assertThat(used.tooShort(manager.rbac())).isEmpty();

    kubectl.resources(Greeting.class).inNamespace("default").withName("first").delete();
    eventually().until(() -> configMap().get() == null);
  }

  @Test
  void writesOnceWhatStaysAsItIs() throws IOException {
    createFirst();
    awaitGreeting("Hello, reader!");
    kubectl
        .resources(Greeting.class)
        .inNamespace("default")
        .withName("first")
        .edit(
            greeting -> {
              greeting.getMetadata().setAnnotations(Map.of("a", "b"));
              return greeting;
            });
    kubectl.resource(greeting("second")).create(); // is reconciled after the first
    eventually()
        .until(() -> kubectl.configMaps().inNamespace("default").withName("second").get() != null);
    assertThat(server.requests())
        .filteredOn(r -> r.resource().equals("configmaps") && r.verb().isWrite())
        .extracting(RecordedRequest::verb, RecordedRequest::name)
        .as("one creation each, whose name the body says")
        .containsExactly(tuple(Verb.CREATE, ""), tuple(Verb.CREATE, ""));
  }

  private static Greeting greeting(String name) {
    Greeting greeting = new Greeting();
    greeting.getMetadata().setName(name);
    greeting.getMetadata().setNamespace("default");
    return greeting;
  }

  @Test
  void isAtMost40LinesLong() throws IOException {
    assertThat(Files.readAllLines(SOURCE)).hasSizeLessThanOrEqualTo(40);
  }

  /** Apart from the licence, and from how lines are broken. */
  @Test
  void isTheFirstCodeOfTheReadme() throws IOException {
    String readme = Files.readString(README);
    String shown = readme.split("```java\n", 2)[1].split("```", 2)[0];
    List<String> source = Files.readAllLines(SOURCE);
    assertThat(shown)
        .isEqualToIgnoringWhitespace(String.join("\n", source.subList(1, source.size())));
    assertThat(readme.indexOf("```")).isEqualTo(readme.indexOf("```java\n"));
  }
}
