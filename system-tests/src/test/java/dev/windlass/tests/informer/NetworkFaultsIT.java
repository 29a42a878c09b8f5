// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.owned.Rights;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What informers survive between themselves and a healthy API server. Covers docs/reliability.md,
 * B1 to B5, D3, and C3 for the case without lost events. Each test has its own namespace and
 * networks; as the tests mostly wait, they run at the same time.
 */
@Execution(ExecutionMode.SAME_THREAD)
class NetworkFaultsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  /** In a namespace of its own, also if a test runs again. */
  private static ConfigMaps maps(String namespace) {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    return new ConfigMaps(kubernetes.server(), "network-" + namespace + "-" + unique);
  }

  private static Line line() {
    return Line.to(kubernetes.server());
  }

  private static Line pages() {
    return Line.inPagesTo(kubernetes.server());
  }

  private static String text(int length) {
    return "x".repeat(length);
  }

  /** A partial event is dropped, and the watch resumes after the last complete one. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void resumesAfterAResetInMidFrame() {
    try (ConfigMaps maps = maps("b1");
        Line streaming = line();
        Line paged = pages()) {
      List<Follower<ConfigMap>> followers =
          List.of(streaming.followSynced(maps.all()), paged.followSynced(maps.all()));
      for (int round = 1; round <= 4; round++) {
        streaming.network().resetAfter(3_000L * round + 777);
        paged.network().resetAfter(3_000L * round + 1_234);
        for (int i = 0; i < 6; i++) {
          maps.create("round-" + round + "-" + i, Map.of(), text(4_000));
        }
        int broken = round;
        for (Follower<ConfigMap> follower : followers) {
          eventually().until(() -> follower.failures(Reason.UNREACHABLE) >= broken);
        }
        streaming.network().heal();
        paged.network().heal();
        followers.forEach(maps::awaitIn);
      }
      for (Follower<ConfigMap> follower : followers) {
        assertThat(follower.relists()).isZero();
        assertThat(follower.failures(Reason.MALFORMED)).isZero();
        assertThat(follower.events().contradictions()).isEmpty();
      }
    }
  }

  /** A list that breaks off is later applied completely, or not at all. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void appliesNoHalfOfAListThatIsReset() {
    try (ConfigMaps maps = maps("b1-list");
        Line streaming = line();
        Line paged = pages()) {
      for (int i = 0; i < 60; i++) {
        maps.create("map-" + i, Map.of(), text(1_000 + i));
      }
      for (Line line : List.of(streaming, paged)) {
        // The handshake takes some 3 KB; a page is compressed, but only where it is large.
        line.network().resetAfter(20_000);
        Follower<ConfigMap> follower = line.follow(maps.all());
        eventually().until(() -> follower.failures(Reason.UNREACHABLE) > 0);
        assertThat(follower.informer().indexer().size()).isZero();
        assertThat(follower.events().events()).isZero();

        line.network().heal();

        maps.awaitIn(follower);
        assertThat(follower.relists()).isZero();
        assertThat(follower.status().lists()).containsOnlyKeys(ListReason.START);
      }
    }
  }

  /**
   * A connection that is dead but not closed is given up within 45 s, whether it carries the
   * streaming list or a resumed watch, and whether new connections are possible or not.
   */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void noticesThatTheNetworkHasForgottenItsConnections() {
    try (ConfigMaps maps = maps("b2");
        Line born = line();
        Line resumed = line();
        Line paged = pages();
        Line frozen = line()) {
      List<Line> lines = List.of(born, resumed, paged);
      List<Follower<ConfigMap>> followers =
          lines.stream().map(line -> line.followSynced(maps.all())).toList();
      Follower<ConfigMap> iced = frozen.followSynced(maps.all());
      resumed.network().cut();
      resumed.network().heal();
      eventually().until(() -> resumed.watches() == 1);
      maps.create("before");
      followers.forEach(maps::awaitIn);

      lines.forEach(line -> line.network().forget());
      frozen.network().freeze();
      maps.create("after");

      for (Follower<ConfigMap> follower : followers) {
        eventually().atMost(Duration.ofSeconds(50)).until(() -> maps.isIn(follower, "after"));
        assertThat(follower.relists()).isZero();
        assertThat(follower.events().contradictions()).isEmpty();
      }
      // Later ones may have followed while the other lines were awaited: watches are short.
      assertThat(born.watches()).as("the stream was ended by us, and resumed").isPositive();
      eventually().until(() -> iced.informer().problem().isPresent());
      assertThat(maps.isIn(iced, "after")).isFalse();
      frozen.network().heal();
      maps.awaitIn(iced);
      assertThat(iced.relists()).isZero();
    }
  }

  /** A slow watch delays no other, is visible in the status, and catches up. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void crawlsAloneOnASlowNetwork() {
    try (ConfigMaps maps = maps("b3");
        Line slow = line();
        Line quick = line()) {
      maps.create("map");
      Follower<ConfigMap> crawling = slow.followSynced(maps.all());
      Follower<ConfigMap> running = quick.followSynced(maps.all());
      maps.awaitIn(crawling);

      slow.network().throttle(200);
      for (int i = 0; i < 10; i++) {
        maps.update("map", text(4_000 + i));
      }

      eventually()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(() -> running.assertIs(maps.truth()));
      eventually()
          .pollDelay(Duration.ofSeconds(8))
          .until(() -> running.status().sinceEvent().orElseThrow().toSeconds() >= 5);
      assertThat(crawling.told()).isNotEqualTo(maps.truth());
      assertThat(crawling.status().sinceEvent().map(Duration::toSeconds).orElse(99L))
          .as("no change has arrived since the network got slow")
          .isGreaterThan(5);
      slow.network().heal();
      maps.awaitIn(crawling);
      assertThat(crawling.relists()).isZero();
      assertThat(crawling.events().contradictions()).isEmpty();
    }
  }

  /** A load balancer that closes idle connections is normal. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void resumesQuietlyWhenIdleConnectionsAreClosed() {
    try (ConfigMaps maps = maps("b4");
        Line streaming = line();
        Line paged = pages()) {
      for (Line line : List.of(streaming, paged)) {
        line.network().closeIdleAfter(Duration.ofSeconds(6));
      }
      Follower<ConfigMap> streamed = streaming.followSynced(maps.all());
      Follower<ConfigMap> read = paged.followSynced(maps.all());

      eventually().until(() -> streaming.watches() >= 3 && paged.watches() >= 4);
      maps.create("after-all");

      maps.awaitIn(streamed);
      maps.awaitIn(read);
      assertThat(streamed.relists() + read.relists()).isZero();
      assertThat(streaming.warnings()).isEmpty();
      assertThat(paged.warnings()).isEmpty();
    }
  }

  /** The server moves; clients that use its name find it. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void followsTheServerToItsNewAddress() {
    try (ConfigMaps maps = maps("b5");
        Line name = line()) {
      int port = URI.create(kubernetes.clientConfig().getMasterUrl()).getPort();
      try (TcpProxy oldAddress = TcpProxy.to(port);
          TcpProxy newAddress = TcpProxy.to(port)) {
        name.network().retarget(oldAddress.port());
        Follower<ConfigMap> follower = name.followSynced(maps.all());
        maps.create("before");
        maps.awaitIn(follower);

        oldAddress.cut();
        maps.create("meanwhile");
        eventually().until(() -> follower.failures(Reason.UNREACHABLE) >= 2);
        name.network().retarget(newAddress.port());

        eventually().atMost(Duration.ofSeconds(15)).until(() -> maps.isIn(follower, "meanwhile"));
        maps.awaitIn(follower);
        assertThat(newAddress.openConnections()).isPositive();
        assertThat(follower.relists()).isZero();
      }
    }
  }

  /**
   * An informer without permission reports that, recovers by itself once permitted, and affects no
   * other.
   */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void comesBackWhenPermissionIsGiven() {
    RealApiServer server = kubernetes.server();
    Config jane = server.userConfig("jane-d3");
    try (ConfigMaps maps = maps("d3");
        Line line = new Line(jane, source -> source, InformerOptions.defaults());
        Line administrators = line()) {
      maps.create("first");
      Follower<ConfigMap> other = administrators.followSynced(maps.all());
      Follower<ConfigMap> follower = line.follow(maps.all());
      eventually().until(() -> follower.failures(Reason.FORBIDDEN) > 0);
      eventually().until(() -> follower.informer().problem().isPresent());
      assertThat(follower.informer().problem().orElseThrow().toString())
          .contains("Grant this identity the verbs list and watch");
      assertThat(follower.informer().hasSynced()).isFalse();

      HasMetadata grant = grant(maps);
      maps.awaitIn(follower);

      final long refusals = follower.failures(Reason.FORBIDDEN);
      maps.client().resource(grant).delete();
      line.network().cut(); // a watch under way goes on until it ends
      line.network().heal();
      eventually().until(() -> follower.failures(Reason.FORBIDDEN) > refusals);
      maps.create("second");
      maps.awaitIn(other);
      assertThat(maps.isIn(follower, "second")).isFalse();
      assertThat(maps.isIn(follower, "first")).as("what is known stays readable").isTrue();
      grant(maps);

      maps.awaitIn(follower);
      assertThat(follower.informer().problem()).isEmpty();
      assertThat(follower.relists()).isZero();
    }
  }

  private static HasMetadata grant(ConfigMaps maps) {
    return Rights.grant(
        maps.client(),
        maps.namespace(),
        "reader",
        Rights.rule("", "configmaps", "list", "watch"),
        Rights.user("jane-d3"));
  }

  /** If no event was lost, an audit finds nothing, even while objects keep changing. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void findsNothingWrongWhereNothingIs() {
    InformerOptions options = InformerOptions.defaults().withAuditPeriod(Duration.ofMinutes(1));
    try (ConfigMaps maps = maps("audit");
        Line line = new Line(kubernetes.clientConfig(), source -> source, options)) {
      for (int i = 0; i < 20; i++) {
        maps.create("map-" + i);
      }
      Follower<ConfigMap> follower = line.followSynced(maps.all());
      int[] write = {0};
      eventually()
          .atMost(Duration.ofSeconds(100))
          .until(
              () -> {
                maps.update("map-" + write[0] % 20, "write " + write[0]++);
                return follower.status().audits() > 0;
              });

      assertThat(follower.status().auditMismatches()).isZero();
      assertThat(follower.relists()).isZero();
      maps.awaitIn(follower);
    }
  }
}
