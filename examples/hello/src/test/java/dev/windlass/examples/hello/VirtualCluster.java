// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

/**
 * The operator on virtual time, and an embedded API server on real time: what comes over the
 * network comes when it comes, and meanwhile the operator's time stands still.
 */
final class VirtualCluster implements AutoCloseable {

  private static final ObjectKey SAMPLE = ObjectKey.of("default", "hello-sample");

  final ManualScheduler time = new ManualScheduler();
  final Runs runs = new Runs(time);
  final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient kubectl = server.newClient();
  private final Manager manager;

  /**
   * Starts everything.
   *
   * @param took how long the runs take, in milliseconds; later ones take none
   */
  VirtualCluster(Variant variant, List<Integer> took, boolean skipNoOpWrites) {
    server.install(HelloArtifacts.crd());
    manager =
        Manager.builder()
            .config(server.clientConfig())
            .informerOptions(InformerOptions.defaults().withScheduler(time))
            .clock(time.clock())
            .skipNoOpWrites(skipNoOpWrites)
            .build();
    Controller controller =
        variant
            .watching(manager)
            .reconciler(runs.of(variant.reconciler(manager), took))
            .listener(runs)
            .register(manager);
    manager.start();
    eventually()
        .until(
            () -> {
              time.advance(Duration.ofMillis(controller.isReady() ? 0 : 10));
              return controller.isReady() && informed();
            });
    server.clearRequests();
  }

  static VirtualCluster of(Variant variant) {
    return new VirtualCluster(variant, List.of(), true);
  }

  private boolean informed() {
    return manager.informers().existing(Pod.class).orElseThrow().hasSynced();
  }

  void createSample() {
    kubectl.resource(HelloArtifacts.sample("default")).create();
  }

  /** Waits in real time, and not a moment in virtual time, until so many runs have ended. */
  void awaitRuns(int number) {
    eventually().untilAsserted(() -> assertThat(runs.ends()).hasSizeGreaterThanOrEqualTo(number));
  }

  /** As the kubelet does it; and waits until the operator's cache knows. */
  void endPod(HelloPhase phase) {
    Pods.end(kubectl, "default", "hello-sample", phase);
    eventually()
        .until(
            () ->
                manager.client().get(Pod.class, SAMPLE).flatMap(HelloPods::outcome).stream()
                    .anyMatch(phase::equals));
  }

  /** And waits until the operator's cache knows. */
  void deletePod() {
    kubectl.pods().inNamespace("default").withName("hello-sample").delete();
    eventually().until(() -> manager.client().get(Pod.class, SAMPLE).isEmpty());
  }

  String phase() {
    Hello hello =
        kubectl.resources(Hello.class).inNamespace("default").withName("hello-sample").get();
    return String.valueOf(hello.getStatus().getPhase());
  }

  /** Lets the time pass after which the last run, which asked for it, is to be repeated. */
  void passBackOff(Duration backOff) {
    assertThat(runs.ends().get(runs.ends().size() - 1)).isNotEqualTo(Outcome.DONE);
    assertThat(time.pending()).as("alarms").contains(backOff);
    time.advance(backOff);
  }

  @Override
  public void close() {
    assertThat(manager.stop()).as("stopped in time").isTrue();
    kubectl.close();
    server.close();
  }
}
