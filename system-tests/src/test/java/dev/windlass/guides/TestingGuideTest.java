// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/testing.md}, as far as the embedded server goes. */
@Timeout(60)
final class TestingGuideTest {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectl = server.newClient();
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void knowsWidgets() {
    server.install(Widget.definition());
  }

  private Result reconcile(Widget widget, ReconcileContext context) {
    assertThat(widget.getMetadata().getName()).isEqualTo("first");
    assertThat(context.isCancelled()).isFalse();
    runs.incrementAndGet();
    return Result.requeueAfter(Duration.ofSeconds(30));
  }

  @Test
  void letsThirtySecondsPass() {
    // sample: time
    ManualScheduler time = new ManualScheduler();
    Manager manager =
        Manager.builder()
            .config(server.clientConfig())
            .informerOptions(InformerOptions.defaults().withScheduler(time))
            .clock(time.clock())
            .build();
    Controller controller =
        ControllerBuilder.forType(Widget.class)
            .objectReconciler(this::reconcile) // returns requeueAfter(30 s)
            .register(manager);
    manager.start();
    await()
        .until(
            () -> {
              time.advance(Duration.ofMillis(controller.isReady() ? 0 : 10));
              return controller.isReady();
            });
    // end
    try (manager) {
      // sample: pass
      kubectl.resource(Widget.of("default", "first")).create();
      await().until(() -> runs.get() == 1 && isIdle(controller)); // time stands still
      time.advance(Duration.ofSeconds(30));
      await().until(() -> runs.get() == 2);
      // end
    }
  }

  // sample: idle
  static boolean isIdle(Controller controller) {
    return controller.queueLength() == 0 && controller.running().isEmpty();
  }

  // end

  @Test
  void triesAgainWhatTheServerRefused() {
    AtomicInteger updates = new AtomicInteger();
    try (Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      ControllerBuilder.forType(Widget.class)
          .reconciler(
              (request, context) -> {
                resize(manager, request);
                updates.incrementAndGet();
                return Result.done();
              })
          .register(manager);
      manager.start();
      // sample: fail
      server.fail(RequestMatcher.of(Verb.UPDATE, Widget.class), 500, 2);
      kubectl.resource(Widget.of("default", "first")).create();
      await().until(() -> updates.get() >= 1); // at the third try
      // end
    }
    assertThat(server.requests())
        .filteredOn(request -> request.verb() == Verb.UPDATE)
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void selectsWritesOfTheStatus() {
    // sample: fail-status
    RequestMatcher statusUpdates = RequestMatcher.of(Verb.UPDATE, Widget.class, "status");
    // end
    String path = "/apis/owned.windlass.dev/v1/namespaces/default/widgets/first";
    assertThat(statusUpdates.matches(request(path + "/status"))).isTrue();
    assertThat(statusUpdates.matches(request(path))).isFalse();
    assertThat(
            RequestMatcher.of(Verb.UPDATE, "widgets.owned.windlass.dev")
                .matches(request(path + "/status")))
        .isTrue();
  }

  private static RecordedRequest request(String path) {
    return RecordedRequest.of("PUT", URI.create(path)).orElseThrow();
  }

  private static void resize(Manager manager, Request request) {
    Widget widget = manager.client().get(Widget.class, request.key()).orElseThrow();
    widget.getSpec().setSize(3);
    manager.client().update(widget);
  }

  @Test
  void goesOnWhenTheNetworkIsBack() {
    ObjectKey key = ObjectKey.of("default", "first");
    // sample: network
    Config config = server.clientConfig();
    URI address = URI.create(config.getMasterUrl());
    try (TcpProxy network = TcpProxy.to(address.getPort())) {
      config.setMasterUrl(address.getScheme() + "://127.0.0.1:" + network.port() + "/");
      try (Manager manager = Manager.builder().config(config).build()) {
        manager.cache(Widget.class);
        manager.start();
        network.cut(); // or freeze(), latency(d), dropAnswers(), resetAfter(bytes) ...
        kubectl.resource(Widget.of("default", "first")).create();
        network.heal();
        await().until(() -> manager.client().get(Widget.class, key).isPresent());
      }
    }
    // end
  }
}
