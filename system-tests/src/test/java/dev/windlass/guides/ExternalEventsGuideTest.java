// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/external-events.md}. */
@Timeout(60)
final class ExternalEventsGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private final Queue<String> reconciled = new ConcurrentLinkedQueue<>();
  private final Reconciler reconciler =
      (request, context) -> {
        reconciled.add(request.toString());
        return Result.done();
      };

  private EventChannel<Widget> channel() {
    var manager = server.manager;
    // sample: channel
    EventChannel<Widget> channel = Source.channel(Widget.class, manager.informerOptions());
    ControllerBuilder.forType(Widget.class)
        .watches(channel)
        .reconciler(reconciler)
        .register(manager);
    // end
    return channel;
  }

  // sample: send
  void orderArrived(EventChannel<Widget> channel, ObjectKey widget) throws InterruptedException {
    channel.send(new Request(widget));
  }

  // end

  private ReconcileAll sources() {
    var manager = server.manager;
    // sample: ticker
    ReconcileAll everything = Source.all();
    ControllerBuilder.forType(Widget.class)
        .named("prices")
        .watches(
            Source.ticker(Duration.ofMinutes(5), this::withNewPrices, manager.informerOptions()))
        .watches(everything)
        .reconciler(reconciler)
        .register(manager);
    // end
    return everything;
  }

  private Controller sweeper() {
    var manager = server.manager;
    // sample: without-type
    Controller sweeper =
        ControllerBuilder.withoutType("sweeper")
            .watches(ConfigMap.class, EventHandler.mappingMetadata(this::tenantOf))
            .watches(Source.ticker(Duration.ofHours(1), this::tenants, manager.informerOptions()))
            .reconciler((request, context) -> sweep(request.name(), context.client()))
            .register(manager);
    // end
    return sweeper;
  }

  private List<Request> tenantOf(CachedObject<?> map) {
    String tenant = map.labels().get("tenant");
    return tenant == null ? List.of() : List.of(Request.of(tenant));
  }

  private List<Request> tenants() {
    return List.of(Request.of("blue"));
  }

  private Result sweep(String tenant, Client client) {
    reconciled.add(tenant);
    client.deleteAllOf(
        ConfigMap.class,
        ListParams.in("default").withLabels("tenant=" + tenant + ",old"),
        DeleteParams.DEFAULT);
    return Result.done();
  }

  /** The key is that of a customer, say: nothing in the cluster has the name. */
  @Test
  void reconcilesKeysThatAreNoObjects() {
    Controller sweeper = sweeper();
    assertThat(sweeper.name()).isEqualTo("sweeper");
    assertThat(sweeper.permissions().yaml("sweeper")).contains("configmaps");
    server.manager.start();
    ConfigMap old =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("m")
            .withLabels(Map.of("tenant", "green", "old", ""))
            .endMetadata()
            .build();
    server.kubectl.resource(old).create();
    awaitReconciled("green");
    await().until(() -> server.kubectl.resource(old).get() == null);
  }

  private Collection<Request> withNewPrices() {
    return List.of(new Request(ObjectKey.of("default", "ticked")));
  }

  private void awaitReconciled(String key) {
    await().untilAsserted(() -> assertThat(reconciled).contains(key));
  }

  @Test
  void reconcilesWhatIsSent() throws InterruptedException {
    EventChannel<Widget> channel = channel();
    server.manager.start();
    orderArrived(channel, ObjectKey.of("default", "ordered"));
    awaitReconciled("default/ordered");
  }

  @Test
  void reconcilesAllOnRequest() {
    server.create("w");
    ReconcileAll everything = sources();
    server.manager.start();
    awaitReconciled("default/w");
    reconciled.clear();
    await()
        .untilAsserted(
            () -> {
              everything.trigger();
              assertThat(reconciled).contains("default/w");
            });
  }
}
