// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.leadership;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.OnLeadershipLost;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.owned.Samples;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults around a lease, on a real server: what is exact about them is tested in simulation. */
@Timeout(120)
final class LeaseFaultsIT {

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(3);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private final String name = "lease-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> news = new CopyOnWriteArrayList<>();
  @AutoClose private KubernetesClient kubectl;

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
  }

  private Manager manager(KubernetesClient client, String identity) {
    return manager(Manager.builder().client(client), identity);
  }

  private Manager manager(ManagerBuilder builder, String identity) {
    return builder
        .leaderElection(
            LeaderElectionOptions.of(name)
                .withNamespace("default")
                .withIdentity(identity)
                .withDurations(LEASE, RENEW_DEADLINE, RETRY))
        .onLeadershipLost(OnLeadershipLost.STAND_BY)
        .build();
  }

  private Lease lease() {
    return kubectl.leases().inNamespace("default").withName(name).get();
  }

  private String holder() {
    return String.valueOf(lease().getSpec().getHolderIdentity());
  }

  /** Writes down when its replica leads, and when it does not any more. */
  private final class Diary implements ManagedComponent {
    private final String replica;

    Diary(String replica) {
      this.replica = replica;
    }

    @Override
    public void start() {
      news.add(replica + " leads as " + holder().replaceAll("_.*", ""));
    }

    @Override
    public boolean stop(Duration limit) {
      news.add(replica + " ends");
      return true;
    }
  }

  private void awaitNews(String part) {
    eventually().atMost(PATIENCE).untilAsserted(() -> assertThat(news).contains(part));
  }

  /** Its requests get no response, and it is not told so (docs/reliability.md, H2). */
  @Test
  void endsBeforeAnotherLeadsWhenItsRenewalsHang() {
    Config config = kubernetes.server().clientConfig();
    try (TcpProxy proxy = TcpProxy.to(URI.create(config.getMasterUrl()).getPort())) {
      config.setMasterUrl("https://127.0.0.1:" + proxy.port());
      try (KubernetesClient far = new KubernetesClientBuilder().withConfig(config).build();
          Manager a = manager(far, "a");
          Manager b = manager(kubectl, "b")) {
        a.add(new Diary("a"));
        b.add(new Diary("b"));
        a.start();
        awaitNews("a leads as a");
        b.start();
        proxy.freeze();
        awaitNews("b leads as b");
        assertThat(news).containsExactly("a leads as a", "a ends", "b leads as b");
        proxy.heal();
      }
    }
  }

  /** A firewall has forgotten the connections that are open, and new ones work. */
  @Test
  void renewsThroughANewConnectionIfTheOpenOnesAreDead() {
    Config config = kubernetes.server().clientConfig();
    try (TcpProxy proxy = TcpProxy.to(URI.create(config.getMasterUrl()).getPort())) {
      config.setMasterUrl("https://127.0.0.1:" + proxy.port());
      try (Manager a = manager(Manager.builder().config(config), "a")) {
        a.add(new Diary("a"));
        a.start();
        awaitNews("a leads as a");
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          reads.add(
              CompletableFuture.runAsync(
                  () -> a.kubernetesClient().configMaps().inNamespace("default").list()));
        }
        reads.forEach(CompletableFuture::join);
        proxy.forget();
        ZonedDateTime before = lease().getSpec().getRenewTime();
        eventually()
            .atMost(PATIENCE)
            .until(() -> lease().getSpec().getRenewTime().isAfter(before.plus(RENEW_DEADLINE)));
        assertThat(news).containsExactly("a leads as a");
      }
    }
  }

  /** Another replica suddenly holds the lease (docs/reliability.md, H6). */
  @Test
  void cancelsAReconcileWhoseLeaseIsTaken() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    try (Manager manager = manager(kubectl, "a")) {
      manager.add(new Diary("a"));
      ControllerBuilder.forType(ConfigMap.class, event -> event.key().name().startsWith(name))
          .named(name)
          .reconciler(
              (request, context) -> {
                news.add("reconciles " + request.name().substring(name.length()));
                begun.countDown();
                Eventually.stuckUntil(() -> context.isCancelled() || cancelled.getCount() == 0);
                cancelled.countDown();
                return Result.done();
              })
          .register(manager);
      configMap("-first");
      manager.start();
      eventually().atMost(PATIENCE).until(() -> begun.getCount() == 0);
      configMap("-second");
      kubectl
          .leases()
          .inNamespace("default")
          .withName(name)
          .patch( // without a version, which a renewal might outdate
              PatchContext.of(PatchType.JSON_MERGE),
              """
              {"spec":{"holderIdentity":"somebody-else","leaseDurationSeconds":3600,
              "renewTime":"%s"}}"""
                  .formatted(MICRO_TIME.format(ZonedDateTime.now(ZoneOffset.UTC))));
      awaitNews("a ends");
      assertThat(cancelled.getCount()).isZero();
      assertThat(news).containsExactlyInAnyOrder("a leads as a", "reconciles -first", "a ends");
      assertThat(holder()).isEqualTo("somebody-else");
    }
  }

  private void configMap(String suffix) {
    kubectl.resource(Samples.map("default", name + suffix)).create();
  }
}
