// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.leader.FakeLease;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Components that could not be created, were never started or are removed leave nothing behind. */
@Timeout(60)
final class LeftoversTest {

  private static final LeaderElectionOptions LEASE =
      LeaderElectionOptions.of("lease").withNamespace("default");

  private final ManualScheduler time = new ManualScheduler();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final FakeLease lease = new FakeLease();
  private final List<KubernetesClient> clients = new CopyOnWriteArrayList<>();
  private final AtomicBoolean noRuns = new AtomicBoolean();

  /** What happens while a group makes its thread. */
  private final AtomicReference<Runnable> onGroup = new AtomicReference<>(() -> {});

  private ManagerBuilder settings() {
    return Manager.builder()
        .config(Config.empty())
        .checkPermissions(false)
        .meterRegistry(registry)
        .informerOptions(InformerOptions.defaults().withScheduler(time).withThreads(this::thread))
        .electors((client, options, at, news) -> lease.connect().elector(options, at, news))
        .connector(
            client -> {
              clients.add(client);
              return (type, scope) -> server;
            });
  }

  /** None for a controller that is about to run, if there are to be none. */
  private Thread thread(Runnable task) {
    if (noRuns.get() && isCalledBy("ControllerRun")) {
      throw new OutOfMemoryError("no thread");
    }
    if (isCalledBy("LeaderGroup")) {
      onGroup.getAndSet(() -> {}).run();
    }
    return new Thread(task);
  }

  private static boolean isCalledBy(String type) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + type)));
  }

  private List<String> meters() {
    return registry.getMeters().stream().map(Meter::getId).map(String::valueOf).toList();
  }

  @Test
  void aBuildThatFailsClosesItsClientAndRemovesItsMeters() {
    ManagerBuilder settings =
        settings()
            .leaderElection(LEASE)
            .electors(
                (client, options, at, news) -> raise(new IllegalStateException("no elector")));
    assertThatThrownBy(settings::build).hasMessage("no elector");
    assertThat(clients).singleElement().matches(client -> client.getHttpClient().isClosed());
    assertThat(meters()).isEmpty();
  }

  @Test
  void aClusterThatWasNeverStartedIsClosedWithTheManagerOrWhenItIsRemoved() throws Exception {
    Manager manager = settings().build();
    KubernetesCluster removed = manager.cluster("removed", Config.empty());
    KubernetesCluster stopped = manager.cluster("stopped", Config.empty());
    assertThat(manager.remove(removed)).isTrue();
    assertThat(clusters(manager)).containsExactlyInAnyOrder("main", "stopped");
    assertThat(removed.kubernetesClient().getHttpClient().isClosed()).isTrue();
    assertThat(stopped.kubernetesClient().getHttpClient().isClosed()).isFalse();
    assertThat(manager.stop()).isTrue();
    assertThat(stopped.kubernetesClient().getHttpClient().isClosed()).isTrue();
    assertThat(meters()).isEmpty();
  }

  @Test
  void aClusterIsMeasuredByItsManagerAlsoIfTheBuilderIsUsedAgain() {
    ManagerBuilder builder =
        Manager.builder()
            .config(Config.empty())
            .checkPermissions(false)
            .connector(client -> (type, scope) -> server);
    try (Manager first = builder.build();
        Manager second = builder.build()) {
      first.cluster("other", Config.empty());
      assertThat(clusters(first)).containsExactlyInAnyOrder("main", "other");
      assertThat(clusters(second)).containsExactly("main");
    }
  }

  private static List<String> clusters(Manager manager) {
    return manager.meterRegistry().find("windlass_client_skipped_writes_total").meters().stream()
        .map(meter -> String.valueOf(meter.getId().getTag("cluster_name")))
        .toList();
  }

  /** The stop comes when the group has been let in, and is over before it is known. */
  @Test
  void aGroupThatIsMadeDuringTheStopIsRefusedAndNeverElects() {
    Manager made = settings().build();
    made.start();
    onGroup.set(() -> assertThat(made.stop()).isTrue());
    assertThatThrownBy(() -> made.leaderGroup(LEASE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the manager has stopped");
    assertThat(lease.written).isEmpty();
    assertThat(meters()).isEmpty();
  }

  @Test
  void aControllerThatCantBeginLeavesNoMeters() {
    Manager manager = settings().build();
    ControllerBuilder.forType(Foo.class)
        .reconciler((request, context) -> Result.done())
        .register(manager);
    noRuns.set(true);
    assertThatThrownBy(manager::start).isInstanceOf(OutOfMemoryError.class);
    assertThat(meters()).isEmpty();
    server.assertNothingOpen();
  }

  @Test
  void aControllerThatIsRemovedNeedsNoRightsAnyMore() throws Exception {
    Manager manager = settings().build();
    Controller controller =
        ControllerBuilder.forType(Foo.class)
            .uses(Secret.class, Verb.CREATE)
            .reconciler((request, context) -> Result.done())
            .register(manager);
    Permission secrets = Permission.of(ResourceType.of(Secret.class), "", Verb.CREATE);
    assertThat(manager.permissions().all()).contains(secrets);
    assertThat(manager.remove(controller)).isTrue();
    assertThat(manager.permissions().all()).doesNotContain(secrets);
    manager.stop();
  }
}
