// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.Projection;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What informers survive when the API server or etcd dies, hangs or is not there yet. Covers
 * docs/reliability.md, A1 to A4. Each test has its own server.
 */
@Execution(ExecutionMode.SAME_THREAD)
class ServerFaultsIT {

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  private ConfigMaps maps() {
    return new ConfigMaps(kubernetes.server(), "default");
  }

  /** A list for each 410, and none for anything else. */
  private static void assertListsOnlyWhatExpired(Follower<?> follower) {
    assertThat(follower.relists()).isEqualTo(follower.failures(Reason.EXPIRED)).isLessThan(2);
    assertThat(follower.status().lists().keySet()).isSubsetOf(ListReason.START, ListReason.EXPIRED);
    assertThat(follower.events().contradictions()).isEmpty();
  }

  /** Objects written before the kill, between kills and after it all arrive. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void losesNothingWhenTheServerIsKilled() {
    RealApiServer server = kubernetes.server();
    try (ConfigMaps maps = maps();
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      for (int i = 0; i < 20; i++) {
        maps.create("map-" + i);
      }
      List<Follower<ConfigMap>> followers =
          List.of(streaming.followSynced(maps.all()), paged.followSynced(maps.all()));
      for (int i = 0; i < 10; i++) {
        maps.update("map-" + i, "just before the end"); // the watch may not bring all of these
      }
      maps.delete("map-19");

      server.killApiServer();
      for (Follower<ConfigMap> follower : followers) {
        eventually().until(() -> follower.informer().problem().isPresent());
        assertThat(follower.informer().indexer().size()).isGreaterThanOrEqualTo(19);
      }
      server.startApiServer();

      eventually().ignoreExceptions().until(() -> maps.update("map-0", "after").getData() != null);
      followers.forEach(maps::awaitIn);
      followers.forEach(ServerFaultsIT::assertListsOnlyWhatExpired);
    }
  }

  /** An informer started before the server waits for it. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void waitsForAServerThatIsNotThereYet() {
    RealApiServer server = kubernetes.server();
    try (ConfigMaps maps = maps();
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      maps.create("map");
      server.killApiServer();
      List<Follower<ConfigMap>> followers =
          List.of(streaming.follow(maps.all()), paged.follow(maps.all()));
      for (Follower<ConfigMap> follower : followers) {
        eventually().until(() -> follower.failures(Reason.UNREACHABLE) >= 3);
        assertThat(follower.informer().hasSynced()).isFalse();
        assertThat(follower.informer().problem()).isPresent();
        assertThat(follower.isAlive()).isTrue();
      }

      server.startApiServer();

      followers.forEach(maps::awaitIn);
      for (Follower<ConfigMap> follower : followers) {
        eventually().until(() -> follower.informer().problem().isEmpty());
        assertThat(follower.informer().hasSynced()).isTrue();
        assertThat(follower.relists()).isZero();
      }
      assertThat(streaming.warnings()).as("said once, not with each try").hasSize(1);
    }
  }

  /** A server that hangs is detected within 45 s, and nothing is lost or stuck. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void noticesThatTheServerHangs() {
    RealApiServer server = kubernetes.server();
    try (ConfigMaps maps = maps();
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      List<Follower<ConfigMap>> followers =
          List.of(streaming.followSynced(maps.all()), paged.followSynced(maps.all()));
      maps.create("before");
      followers.forEach(maps::awaitIn);

      server.pauseApiServer();
      for (Follower<ConfigMap> follower : followers) {
        eventually()
            .atMost(Duration.ofSeconds(60))
            .until(() -> follower.informer().problem().isPresent());
        assertThat(follower.informer().loops())
            .allSatisfy(loop -> assertThat(loop.busyFor()).isLessThan(Duration.ofSeconds(5)));
      }
      server.resumeApiServer();

      eventually().ignoreExceptions().until(() -> maps.create("after") != null);
      followers.forEach(maps::awaitIn);
      followers.forEach(ServerFaultsIT::assertListsOnlyWhatExpired);
    }
  }

  /** Without etcd, the copy stays readable, and new informers wait. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void readsOnWhileEtcdHangs() {
    RealApiServer server = kubernetes.server();
    try (ConfigMaps maps = maps();
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      maps.create("before");
      List<Follower<ConfigMap>> followers =
          List.of(streaming.followSynced(maps.all()), paged.followSynced(maps.all()));
      followers.forEach(maps::awaitIn);
      final Map<?, String> before = maps.truth();

      server.pauseEtcd();
      Follower<ConfigMap> late = streaming.follow(maps.all().with(Projection.FULL));
      eventually()
          .during(Duration.ofSeconds(8))
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> {
                followers.forEach(follower -> assertThat(follower.cache()).isEqualTo(before));
                assertThat(late.informer().hasSynced())
                    .as("a list that can't be consistent is no list")
                    .isFalse();
              });
      server.resumeEtcd();

      eventually().ignoreExceptions().until(() -> maps.create("after") != null);
      followers.forEach(maps::awaitIn);
      maps.awaitIn(late);
      followers.forEach(ServerFaultsIT::assertListsOnlyWhatExpired);
    }
  }
}
