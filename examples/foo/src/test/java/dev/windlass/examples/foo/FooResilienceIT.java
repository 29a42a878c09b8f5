// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.examples.cli.testing.Feeds;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the operator survives on a real API server, which each test may break as it likes. */
final class FooResilienceIT {

  private static final String NAMESPACE = "default";

  @RegisterExtension
  final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().withControllerManager());

  private final Feeds feeds = new Feeds();
  private KubernetesClient kubectl;
  private TcpProxy network;
  private Manager manager;

  @BeforeEach
  void startsTheOperatorBehindABreakableNetwork() {
    RealApiServer server = kubernetes.server();
    server.install(FooArtifacts.crd());
    kubectl = server.newClient();
    Config config = server.clientConfig();
    network = TcpProxy.to(URI.create(config.getMasterUrl()).getPort());
    config.setMasterUrl("https://127.0.0.1:" + network.port() + "/");
    manager =
        Manager.builder()
            .config(config)
            .informerOptions(InformerOptions.defaults().withListener(feeds))
            .build();
    Controller controller = FooOperator.register(manager);
    manager.start();
    eventually().until(controller::isReady);
  }

  @AfterEach
  void stopsTheOperator() {
    assertThat(manager.stop()).isTrue();
    network.close();
    kubectl.close();
  }

  private void createFoo(String name) {
    Foo foo = FooArtifacts.exampleFoo(NAMESPACE);
    foo.getMetadata().setName(name);
    foo.getSpec().setDeploymentName(name);
    kubectl.resource(foo).create();
  }

  private Map<String, Deployment> deployments() {
    return kubectl.apps().deployments().inNamespace(NAMESPACE).list().getItems().stream()
        .collect(Collectors.toMap(d -> d.getMetadata().getName(), d -> d));
  }

  private Deployment deployment(String name) {
    return Objects.requireNonNull(deployments().get(name), name);
  }

  private void scale(String name, int replicas) {
    Edits.edit(
        kubectl.resources(Foo.class).inNamespace(NAMESPACE).withName(name),
        foo -> foo.getSpec().setReplicas(replicas));
  }

  private void awaitReplicas(String name, int replicas) {
    eventually()
        .untilAsserted(
            () -> {
              assertThat(deployments()).containsKey(name);
              assertThat(deployment(name).getSpec().getReplicas()).isEqualTo(replicas);
            });
  }

  /** Whatever was written before, while and after the server was gone is acted on. */
  @Test
  void losesNothingWhenTheServerIsKilledAndStartedAgain() {
    List<String> names = IntStream.range(0, 20).mapToObj(i -> "foo-" + i).toList();
    names.subList(0, 10).forEach(this::createFoo);
    awaitReplicas("foo-9", 1);
    // In flight when the server dies: creations, and changes that may not have reached the watch.
    names.subList(10, 20).forEach(this::createFoo);
    names.subList(0, 10).forEach(name -> scale(name, 2));
    kubernetes.server().killApiServer();

    kubernetes.server().startApiServer();

    names.subList(0, 10).forEach(name -> awaitReplicas(name, 2));
    names.subList(10, 20).forEach(name -> awaitReplicas(name, 1));
    createFoo("after");
    awaitReplicas("after", 1);
  }

  /** A compaction behind our back: one relist per type, and the deletions that it hid come out. */
  @Test
  @Proves("R7")
  void relistsOnceAfterACompactionAndFindsOutWhatWasDeleted() {
    createFoo("kept");
    createFoo("gone");
    awaitReplicas("kept", 1);
    awaitReplicas("gone", 1);
    eventually()
        .until(
            () ->
                manager.informers().existing(Deployment.class).orElseThrow().indexer().size() == 2);
    long listsBefore = feeds.count("listed");
    final String uid = deployment("kept").getMetadata().getUid();

    network.cut();
    kubectl.apps().deployments().inNamespace(NAMESPACE).withName("kept").delete();
    kubectl.resources(Foo.class).inNamespace(NAMESPACE).withName("gone").delete();
    eventually().until(() -> !deployments().containsKey("kept"));
    kubernetes.server().compact();
    kubernetes.server().killApiServer();
    kubernetes.server().startApiServer();
    assertThat(feeds.count("listed")).as("nobody could list meanwhile").isEqualTo(listsBefore);
    network.heal();

    awaitReplicas("kept", 1);
    assertThat(deployment("kept").getMetadata().getUid()).isNotEqualTo(uid);
    eventually()
        .untilAsserted(
            () ->
                assertThat(manager.informers().existing(Foo.class).orElseThrow().indexer().keys())
                    .extracting(Object::toString)
                    .containsExactly("default/kept"));
    assertThat(feeds.count("failed EXPIRED"))
        .as("410, once for Foos and once for Deployments")
        .isEqualTo(2);
    assertThat(feeds.count("listed") - listsBefore).as("and one list for each").isEqualTo(2);
  }

  /** Connections that are dead without having been closed are given up within 45 s. */
  @Test
  void noticesThatTheNetworkHasForgottenItsConnections() {
    createFoo("before");
    awaitReplicas("before", 1);
    int before = feeds.steps().size(); // a server that prepares a new type asks for patience

    network.forget();
    createFoo("after");

    // 45 s for the watch; the write may meet a forgotten connection, too, and times out by itself.
    eventually().atMost(Duration.ofSeconds(70)).until(() -> deployments().containsKey("after"));
    assertThat(feeds.steps().subList(before, feeds.steps().size()))
        .filteredOn(step -> step.startsWith("failed"))
        .allMatch("failed TIMEOUT"::equals);
    assertThat(feeds.count("listed")).as("a resume does; nothing is listed again").isEqualTo(2);
  }
}
