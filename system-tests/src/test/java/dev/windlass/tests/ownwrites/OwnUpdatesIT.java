// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.fault.ApiFault;
import dev.windlass.testing.fault.FaultProxy;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import dev.windlass.tests.requests.HostileChanges;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real server proves which updates are a reconcile's own. */
@Timeout(300)
final class OwnUpdatesIT {

  private static final int WIDGETS = 200;
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** Of that many chances to break the watches, one is taken: each costs a back-off. */
  private static final int RARELY = 8;

  private static final int ROUNDS = Integer.getInteger("hostile.rounds", 5);

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private final String namespace = "updates-" + UUID.randomUUID().toString().substring(0, 8);
  private KubernetesClient kubectl;

  @BeforeEach
  void makesANamespace() {
    kubernetes.server().install(Widget.definition());
    kubectl = kubernetes.server().newClient();
    kubectl.resource(Samples.namespace(namespace)).create();
  }

  @AfterEach
  void deletes() {
    kubectl.resources(Widget.class).inNamespace(namespace).delete();
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }

  private Manager manager(Config config) {
    return Manager.builder().config(config).namespace(namespace).checkPermissions(false).build();
  }

  private List<Widget> widgets() {
    return kubectl.resources(Widget.class).inNamespace(namespace).list().getItems();
  }

  private static boolean isConverged(Widget widget) {
    return widget.getStatus() != null
        && widget.getStatus().getReady() == widget.getSpec().getSize();
  }

  /** Waits until all widgets have their status, and nothing has been reconciled for a while. */
  private int settled(AtomicInteger reconciles) throws InterruptedException {
    eventually().until(() -> widgets().stream().allMatch(OwnUpdatesIT::isConverged));
    int before;
    do {
      before = reconciles.get();
      Thread.sleep(QUIET.toMillis());
    } while (reconciles.get() != before);
    return before;
  }

  private static void reconcile(Widget widget, ReconcileContext context) {
    String name = widget.getMetadata().getName();
    int size = widget.getSpec().getSize();
    ConfigMap child = Samples.map(widget.getMetadata().getNamespace(), name);
    child.setData(Map.of("size", Integer.toString(size)));
    Owned.apply(context.client(), widget, child);
    Widget wanted = Widget.of(widget.getMetadata().getNamespace(), name);
    wanted.setSpec(null);
    wanted.setStatus(new Widget.Status());
    wanted.getStatus().setReady(size);
    context.client().status().apply(wanted);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reconcilesEachChangedObjectOnce(boolean ignores) throws Exception {
    AtomicInteger reconciles = new AtomicInteger();
    try (Manager manager = manager(kubernetes.server().clientConfig())) {
      ControllerBuilder<Widget> builder = ControllerBuilder.forType(Widget.class);
      if (ignores) {
        builder.ignoreOwnEvents();
      }
      builder
          .owns(ConfigMap.class)
          .maxConcurrentReconciles(8)
          .objectReconciler(
              (widget, context) -> {
                reconciles.incrementAndGet();
                reconcile(widget, context);
                return Result.done();
              })
          .register(manager);
      manager.start();
      for (int i = 0; i < WIDGETS; i++) {
        kubectl.resource(Widget.of(namespace, "w-" + i)).create();
      }
      List<Integer> counts = new ArrayList<>(List.of(settled(reconciles)));
      for (int size = 2; size <= 4; size++) {
        reconciles.set(0);
        for (Widget widget : widgets()) {
          widget.getSpec().setSize(size);
          kubectl.resource(widget).update();
        }
        counts.add(settled(reconciles));
      }
      System.out.printf(
          "own events %s: %d creations, then three times %d changes: %s reconciles%n",
          ignores ? "ignored" : "not ignored", WIDGETS, WIDGETS, counts);
      if (ignores) {
        assertThat(counts).allSatisfy(n -> assertThat(n).isBetween(WIDGETS, WIDGETS * 21 / 20));
      } else {
        assertThat(counts).allSatisfy(n -> assertThat(n).isGreaterThan(WIDGETS * 3 / 2));
      }
    }
  }

  /** Requests are slow, and watches break and list anew, so that caches merge changes. */
  @Test
  void repairsAllHostileChanges() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.printf("own updates: seed %d%n", seed);
    try (FaultProxy faults = FaultProxy.to(kubernetes.server());
        TcpProxy network =
            TcpProxy.to(URI.create(faults.clientConfig().getMasterUrl()).getPort())) {
      Config config = faults.clientConfig();
      config.setMasterUrl("http://127.0.0.1:" + network.port() + "/");
      faults.injectRandomly(
          seed,
          0.5,
          request -> request.verb() == Verb.PATCH,
          ApiFault.delay(Duration.ofMillis(20)));
      AtomicInteger chances = new AtomicInteger();
      HostileChanges hostile =
          new HostileChanges(
              namespace,
              10,
              new Random(seed),
              kubectl,
              () -> {
                if (chances.incrementAndGet() % RARELY > 0) {
                  return;
                }
                for (String plural : List.of("widgets.owned.windlass.dev", "configmaps")) {
                  faults.inject(RequestMatcher.of(Verb.WATCH, plural), ApiFault.status(410));
                }
                network.cut();
                network.heal();
              });
      try (Manager manager = manager(config)) {
        HostileChanges.register(manager, Optional.of(hostile));
        manager.start();
        hostile.create();
        for (int round = 0; round < ROUNDS; round++) {
          hostile.begin(60);
          while (!hostile.isOver()) {
            hostile.names().forEach(name -> hostile.strike(name, 10));
            Thread.sleep(2);
          }
          eventually().ignoreExceptions().untilAsserted(hostile::assertRepaired);
          System.out.printf("own updates: repaired after round %d%n", round);
        }
      }
    }
  }
}
