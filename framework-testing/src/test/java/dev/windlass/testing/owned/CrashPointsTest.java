// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.owned;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.client.transport.HookedClients;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The process dies after its first, second, third... write, whichever that is; the next one reaches
 * the same state as without a crash, with no child twice and none left over (docs/reliability.md,
 * G1).
 */
@Timeout(240)
final class CrashPointsTest {

  private static final String NAMESPACE = "default";

  /** Outside of the cluster, so it survives a process. */
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  private final class Parts implements Reconciler {
    private final Client client;
    private final Finalizers<Widget> finalizers =
        Finalizers.<Widget>none().with("example.com/bucket", this::deleteBucket);

    Parts(Client client) {
      this.client = client;
    }

    private Result deleteBucket(Widget widget) {
      buckets.remove(widget.getMetadata().getUid());
      return Result.done();
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
      Optional<Widget> found = client.get(Widget.class, request.key());
      if (found.isEmpty()) {
        return Result.done();
      }
      Finalization<Widget> state = finalizers.run(client, found.get());
      if (state.deleting()) {
        return state.result();
      }
      Widget widget = state.object();
      buckets.add(widget.getMetadata().getUid());
      List<ConfigMap> wanted = new ArrayList<>();
      for (String part : widget.getSpec().getParts()) {
        wanted.add(part(widget, part));
      }
      Prune.prune(client, widget, ConfigMap.class, wanted);
      if (widget.getStatus() == null) {
        widget.setStatus(new Widget.Status());
      }
      widget.getStatus().setReady(wanted.size());
      Conditions.of(widget.getStatus().getConditions(), Clock.systemUTC())
          .set(
              "Ready",
              Conditions.Status.TRUE,
              "AllPartsExist",
              wanted.size() + " parts",
              widget.getMetadata().getGeneration());
      client.updateStatus(widget);
      return Result.done();
    }

    private ConfigMap part(Widget widget, String part) {
      ConfigMap skeleton = Samples.map(NAMESPACE, widget.getMetadata().getName() + "-" + part);
      return CreateOrUpdate.createOrUpdate(
              client,
              skeleton,
              map -> {
                map.setData(Map.of("part", part));
                OwnerReferences.setController(map, widget);
              })
          .object();
    }
  }

  private static final class Cluster implements AutoCloseable {
    final EmbeddedApiServer server = EmbeddedApiServer.start();
    final KubernetesClient kubectl = server.newClient();

    Cluster() {
      server.install(Widget.definition());
    }

    void create(String... parts) {
      Widget widget = Widget.of(NAMESPACE, "w");
      widget.getSpec().setParts(List.of(parts));
      kubectl.resource(widget).create();
    }

    void change(String... parts) {
      kubectl
          .resources(Widget.class)
          .inNamespace(NAMESPACE)
          .withName("w")
          .edit(
              widget -> {
                widget.getSpec().setParts(List.of(parts));
                return widget;
              });
    }

    void delete() {
      kubectl.resources(Widget.class).inNamespace(NAMESPACE).withName("w").delete();
    }

    /** What is there, without what differs from run to run. */
    Map<String, String> world() {
      Map<String, String> world = new TreeMap<>();
      kubectl
          .configMaps()
          .inNamespace(NAMESPACE)
          .list()
          .getItems()
          .forEach(map -> world.put(map.getMetadata().getName(), String.valueOf(map.getData())));
      kubectl
          .resources(Widget.class)
          .inNamespace(NAMESPACE)
          .list()
          .getItems()
          .forEach(
              widget ->
                  world.put(
                      "widget " + widget.getMetadata().getName(),
                      widget.getMetadata().getFinalizers()
                          + " "
                          + (widget.getStatus() == null
                              ? "no status"
                              : widget.getStatus().getReady()
                                  + " "
                                  + widget.getStatus().getConditions().get(0).getMessage())));
      return world;
    }

    @Override
    public void close() {
      kubectl.close();
      server.close();
    }
  }

  /** Runs until the world is as wanted, or the process is dead. */
  private void run(Cluster cluster, Mortal mortal, Map<String, String> wanted) {
    try (KubernetesClient base = HookedClients.of(cluster.server.clientConfig(), mortal);
        Manager manager = Manager.builder().client(base).build()) {
      ControllerBuilder.forType(Widget.class)
          .owns(ConfigMap.class)
          .reconciler(new Parts(manager.client()))
          .register(manager);
      manager.start();
      eventually()
          .atMost(Duration.ofSeconds(20))
          .until(() -> mortal.isDead() || cluster.world().equals(wanted));
    }
  }

  private static final Map<String, String> THREE =
      Map.of(
          "w-a", "{part=a}",
          "w-b", "{part=b}",
          "w-c", "{part=c}",
          "widget w", "[example.com/bucket] 3 3 parts");

  private static final Map<String, String> TWO =
      Map.of(
          "w-b", "{part=b}",
          "w-d", "{part=d}",
          "widget w", "[example.com/bucket] 2 2 parts");

  /** Through a whole life: created, changed, deleted; each part by processes that die at once. */
  @Test
  void comesToTheSameWorldWhereverItDies() {
    int deaths = 0;
    for (int writes = 1; writes <= 6; writes++) {
      try (Cluster cluster = new Cluster()) {
        cluster.create("a", "b", "c");
        deaths += liveUntil(cluster, writes, THREE);
        cluster.change("b", "d");
        deaths += liveUntil(cluster, writes, TWO);
        assertThat(buckets).hasSize(1);
        cluster.delete();
        deaths += liveUntil(cluster, writes, Map.of());
        assertThat(buckets).as("what was outside of the cluster").isEmpty();
      }
    }
    assertThat(deaths).as("processes that died").isGreaterThan(10);
  }

  /** One process after the other, each of which dies after so many writes. */
  private int liveUntil(Cluster cluster, int writes, Map<String, String> wanted) {
    int deaths = 0;
    while (!cluster.world().equals(wanted)) {
      assertThat(deaths).as("each gets further than the one before").isLessThan(20);
      Mortal mortal = new Mortal(writes);
      run(cluster, mortal, wanted);
      deaths += mortal.isDead() ? 1 : 0;
    }
    return deaths;
  }
}
