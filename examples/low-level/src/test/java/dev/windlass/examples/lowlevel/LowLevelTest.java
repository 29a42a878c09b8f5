// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.lowlevel;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.examples.foo.Foo;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the example shows. */
final class LowLevelTest {

  private KubernetesClient kubectl;
  private TcpProxy network;
  private KubernetesClient client;
  private LowLevelController controller;

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @BeforeEach
  void startsTheControllerBehindABreakableNetwork() throws Exception {
    server.install(read("crd.yaml", CustomResourceDefinition.class));
    kubectl = server.newClient();
    Config config = server.clientConfig();
    URI address = URI.create(config.getMasterUrl());
    network = TcpProxy.to(address.getPort());
    config.setMasterUrl(address.getScheme() + "://127.0.0.1:" + network.port() + "/");
    client = new KubernetesClientBuilder().withConfig(LowLevelController.tuned(config)).build();
    controller = new LowLevelController(client);
    controller.start();
  }

  @AfterEach
  void leavesNothingBehind() {
    controller.close();
    client.close();
    network.close();
    kubectl.resources(Foo.class).inAnyNamespace().delete();
    kubectl.apps().deployments().inNamespace("default").delete();
    eventually()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("foo-worker"))
                    .noneMatch(name -> name.startsWith("events-"))
                    .noneMatch(name -> name.startsWith("informer-")));
    kubectl.close();
  }

  private static <T> T read(String file, Class<T> type) throws IOException {
    try (var in = Foo.class.getResourceAsStream("/artifacts/examples/" + file)) {
      return Serialization.unmarshal(in, type);
    }
  }

  private void createFoo(String name) throws IOException {
    Foo foo = read("example-foo.yaml", Foo.class);
    foo.getMetadata().setNamespace("default");
    foo.getMetadata().setName(name);
    foo.getSpec().setDeploymentName(name);
    kubectl.resource(foo).create();
  }

  private void scale(String foo, int replicas) {
    kubectl
        .resources(Foo.class)
        .inNamespace("default")
        .withName(foo)
        .edit(
            known -> {
              known.getSpec().setReplicas(replicas);
              return known;
            });
  }

  private @Nullable Deployment deployment(String name) {
    return kubectl.apps().deployments().inNamespace("default").withName(name).get();
  }

  private Deployment awaitDeployment(String name, int replicas) {
    eventually()
        .until(
            () -> {
              Deployment found = deployment(name);
              return found != null && found.getSpec().getReplicas() == replicas;
            });
    return Objects.requireNonNull(deployment(name));
  }

  /** It creates, it changes, and it makes good what others did. */
  @Test
  void keepsADeploymentForEachFoo() throws Exception {
    createFoo("a");
    Deployment first = awaitDeployment("a", 1);
    assertThat(first.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getName()).isEqualTo("a"));
    scale("a", 2);
    awaitDeployment("a", 2);
    kubectl.resource(first).delete();
    eventually()
        .until(
            () -> {
              Deployment second = deployment("a");
              return second != null
                  && !second.getMetadata().getUid().equals(first.getMetadata().getUid());
            });
    awaitDeployment("a", 2);
  }

  /** A Deployment like that of a Foo, which no Foo controls. */
  private Deployment createTheirs(String model, String name) {
    return kubectl
        .resource(
            new DeploymentBuilder(awaitDeployment(model, 1))
                .editMetadata()
                .withName(name)
                .withResourceVersion(null)
                .withUid(null)
                .withOwnerReferences()
                .endMetadata()
                .build())
        .create();
  }

  /**
   * What can't be done is tried again, until it can. A success ends the back-off, or the next
   * failure would wait as long as the last one did.
   */
  @Test
  void triesAgainUntilTheNameIsFreeAndForgetsTheFailuresThen() throws Exception {
    createFoo("model");
    Deployment theirs = createTheirs("model", "taken");
    createFoo("taken");
    ObjectKey key = ObjectKey.of("default", "taken");
    eventually().until(() -> controller.failures(key) >= 3);
    assertThat(Objects.requireNonNull(deployment("taken")).getMetadata().getOwnerReferences())
        .isEmpty();
    kubectl.resource(theirs).delete();
    eventually()
        .untilAsserted(() -> assertThat(controller.failures(key)).as("failures in a row").isZero());
    assertThat(awaitDeployment("taken", 1).getMetadata().getOwnerReferences()).isNotEmpty();
  }

  /** What was done, once and counted, and what can't be done. */
  @Test
  void tellsPeopleWhatItDoes() throws Exception {
    createFoo("told");
    awaitDeployment("told", 1);
    scale("told", 2);
    awaitDeployment("told", 2);
    eventually().until(() -> events("told", "Synced").size() == 1);
    eventually().until(() -> events("told", "Synced").get(0).getSeries() != null);
    Event synced = events("told", "Synced").get(0);
    assertThat(synced.getType()).isEqualTo("Normal");
    assertThat(synced.getNote()).isEqualTo("Foo synced successfully");
    assertThat(synced.getReportingController()).isEqualTo("sample-controller");

    scale("told", 1);
    createTheirs("told", "theirs");
    createFoo("theirs");
    eventually().until(() -> !events("theirs", "ErrResourceExists").isEmpty());
    Event refused = events("theirs", "ErrResourceExists").get(0);
    assertThat(refused.getType()).isEqualTo("Warning");
    assertThat(refused.getNote())
        .isEqualTo("Resource \"theirs\" already exists and is not managed by Foo");
  }

  private List<Event> events(String about, String reason) {
    return kubectl.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .filter(event -> about.equals(event.getRegarding().getName()))
        .toList();
  }

  /** The watches break, and what happened meanwhile is made up for. */
  @Test
  void goesOnAfterTheConnectionsWereCut() throws Exception {
    createFoo("before");
    awaitDeployment("before", 1);
    network.cut();
    createFoo("meanwhile");
    scale("before", 2);
    network.heal();
    awaitDeployment("meanwhile", 1);
    awaitDeployment("before", 2);
    createFoo("after");
    awaitDeployment("after", 1);
  }

  /** Nothing is worked on after a stop, and a stop may be repeated. */
  @Test
  void stopsInOrder() throws Exception {
    createFoo("done");
    awaitDeployment("done", 1);
    controller.close();
    createFoo("too-late");
    controller.close();
    eventually()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(10))
        .until(() -> deployment("too-late") == null);
  }

  @Test
  void saysThatItWasStoppedBeforeItHadSynced() {
    LowLevelController stopped = new LowLevelController(client);
    stopped.close();
    assertThatThrownBy(stopped::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("failed to wait for caches to sync");
  }
}
