// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.examples.cli.testing.Said;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.feed.FakeListerWatcher;
import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The operator on watches that a test controls. No server could be written to, so a reconcile that
 * succeeds has written nothing.
 */
@Timeout(60)
final class FooOnVirtualTimeTest {

  private static final Duration RESYNC = Duration.ofSeconds(30);
  private static final Request EXAMPLE = Request.of("default", "example-foo");

  private final ManualScheduler time = new ManualScheduler();
  private final Map<String, FakeListerWatcher> servers = new ConcurrentHashMap<>();
  private final BlockingQueue<String> reconciled = new LinkedBlockingQueue<>();
  private final Said said = Said.by(Level.INFO, FooReconciler.class.getName());
  private final Manager manager =
      Manager.builder()
          .config(Config.empty())
          .informerOptions(InformerOptions.defaults().withScheduler(time))
          .connector(client -> (type, scope) -> server(type.kind()))
          .build();
  private final Controller controller =
      FooOperator.builder(manager)
          .listener((request, outcome, took) -> hear(request, outcome))
          .register(manager);

  private FakeListerWatcher server(String kind) {
    return servers.computeIfAbsent(kind, k -> new FakeListerWatcher());
  }

  private void hear(Request request, Outcome outcome) {
    reconciled.add(request + " " + outcome);
  }

  private static String foo(String name) {
    return """
        {"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo",
        "metadata":{"namespace":"default","name":"%s"},
        "spec":{"deploymentName":"%s","replicas":1},"status":{"availableReplicas":1}}"""
        .formatted(name, name);
  }

  private static String deployment(String name, String owner, String uid) {
    return """
        {"apiVersion":"apps/v1","kind":"Deployment",
        "metadata":{"namespace":"default","name":"%s","ownerReferences":[
        {"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo","name":"%s","uid":"%s",
        "controller":true}]},
        "spec":{"replicas":1},"status":{"availableReplicas":1}}"""
        .formatted(name, owner, uid);
  }

  private String next() throws InterruptedException {
    return String.valueOf(reconciled.poll(20, TimeUnit.SECONDS));
  }

  /** A Foo and its Deployment, as both should be. */
  @BeforeEach
  void startsInAConvergedWorld() throws Exception {
    server("Foo").put(foo("example-foo"));
    server("Deployment").put(deployment("example-foo", "example-foo", "uid-1"));
    manager.start();
    eventually()
        .until(
            () -> {
              time.advance(Duration.ofMillis(100));
              return controller.isReady();
            });
    assertThat(next()).isEqualTo(EXAMPLE + " DONE");
    eventually().until(() -> controller.queueLength() == 0 && controller.running().isEmpty());
    reconciled.clear();
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    said.close();
    servers.values().forEach(FakeListerWatcher::assertNothingOpen);
  }

  /** And the Deployment, which is shown again too, asks for nobody. */
  @Test
  @Proves({"001-18", "001-39", "001-86", "R12"})
  void looksAtEachFooEvery30SecondsAndAtNoDeployment() throws Exception {
    server("Deployment").put(deployment("of-nobody", "gone", "uid-gone"));
    assertThat(next()).isEqualTo("default/gone DONE");
    for (int i = 0; i < 3; i++) {
      time.advance(RESYNC);
      assertThat(next()).isEqualTo(EXAMPLE + " DONE");
    }
    assertThat(reconciled).isEmpty();
    assertThat(said.messages())
        .filteredOn("Successfully synced 'default/example-foo'"::equals)
        .hasSize(4);
  }

  @Test
  @Proves("001-22")
  void hasTwoWorkers() {
    assertThat(controller.maxConcurrentReconciles()).isEqualTo(2);
  }

  @Test
  @Proves("001-37")
  void doesNothingAboutADeletedFoo() throws Exception {
    server("Foo").delete(EXAMPLE.key());
    server("Foo")
        .put(foo("later").replace("\"deploymentName\":\"later\"", "\"deploymentName\":\"\""));
    assertThat(next()).isEqualTo("default/later DONE");
    assertThat(reconciled).isEmpty();
  }

  /** The watch of Deployments breaks, one goes, and only the list shows it. */
  @Test
  @Proves({"001-46", "002-49", "R7"})
  void looksAtAFooWhoseDeploymentWentUnseen() throws Exception {
    server("Deployment").put(deployment("second", "example-foo", "uid-1"));
    assertThat(next()).isEqualTo(EXAMPLE + " DONE");
    server("Deployment").dropWatches();
    server("Deployment").delete(ObjectKey.of("default", "second"));
    server("Deployment").compact();
    for (int i = 0; i < 20 && reconciled.isEmpty(); i++) {
      time.advance(Duration.ofSeconds(1));
      String heard = reconciled.poll(500, TimeUnit.MILLISECONDS);
      if (heard != null) {
        reconciled.add(heard);
      }
    }
    assertThat(next()).isEqualTo(EXAMPLE + " DONE");
    assertThat(server("Deployment").lists()).as("found by a list").hasSize(2);
  }

  @Test
  @Proves({"000-61", "001-69"})
  void saysOnceThatAFooIsGoneAndDoesNotTryAgain() throws Exception {
    server("Deployment").put(deployment("orphan", "gone", "uid-gone"));
    assertThat(next()).isEqualTo("default/gone DONE");
    eventually().until(() -> controller.running().isEmpty());
    assertThat(controller.queueLength()).isZero();
    assertThat(said.messages())
        .filteredOn("foo 'default/gone' in work queue no longer exists"::equals)
        .hasSize(1);
  }

  @Test
  @Proves("000-09")
  void canBeCalledAHundredTimesAndWritesNothing() throws Exception {
    for (int i = 0; i < 100; i++) {
      server("Foo").put(foo("example-foo"));
      assertThat(next()).isEqualTo(EXAMPLE + " DONE");
    }
  }
}
