// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.BulkLoader;
import dev.windlass.testing.apiserver.real.ApiServerReplica;
import dev.windlass.testing.apiserver.real.EtcdSnapshot;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * How informers handle resource versions that have expired, went back, or belong to another server.
 * Covers docs/reliability.md, A6 and A8 to A10. Each test has its own server.
 */
@Execution(ExecutionMode.SAME_THREAD)
class VersionsIT {

  private static RealApiServer start(String... flags) {
    return RealApiServer.builder().apiServerFlags(flags).start();
  }

  private static int port(RealApiServer server) {
    return URI.create(server.clientConfig().getMasterUrl()).getPort();
  }

  /**
   * The token of the second page has expired; the partial list is dropped, and the next one works.
   */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void startsOverWhenItsPagesExpire() throws InterruptedException {
    try (RealApiServer server = start("--watch-cache=false");
        ConfigMaps maps = new ConfigMaps(server, "default")) {
      int count = 700;
      assertThat(
              BulkLoader.with(maps.client())
                  .create(
                      ResourceType.of(ConfigMap.class).path("default"),
                      count,
                      i ->
                          """
                          {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"map-%d"}}
                          """
                              .formatted(i))
                  .count())
          .isEqualTo(count);
      AtomicInteger secondPages = new AtomicInteger();
      Runnable compaction =
          () -> {
            secondPages.incrementAndGet();
            maps.create("written-between-pages-" + secondPages);
            server.compact();
          };
      try (Line line =
          new Line(
              server.clientConfig(),
              source -> new Line.Paged(source, compaction),
              InformerOptions.defaults())) {
        Follower<ConfigMap> follower = line.followSynced(maps.all());

        maps.awaitIn(follower);
        assertThat(follower.failures(Reason.EXPIRED)).isEqualTo(1);
        assertThat(secondPages).as("the next list came in one piece").hasValue(1);
        assertThat(follower.relists()).isZero();
        assertThat(follower.events().events())
            .as("each object was told once, and nothing of the half list")
            .isEqualTo(count + 1);
        assertThat(follower.events().contradictions()).isEmpty();
      }
    }
  }

  /** etcd is restored, and versions go back. The informer detects that and goes back as well. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void goesBackWithARestoredBackup() {
    try (RealApiServer server = start();
        ConfigMaps maps = new ConfigMaps(server, "default");
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      maps.create("changed");
      maps.create("deleted");
      EtcdSnapshot snapshot = server.snapshot();
      List<Follower<ConfigMap>> followers =
          List.of(streaming.followSynced(maps.all()), paged.followSynced(maps.all()));
      maps.delete("deleted");
      for (int i = 0; i < 300; i++) {
        maps.update("changed", "future " + i);
      }
      maps.create("never-was");
      followers.forEach(maps::awaitIn);

      server.restore(snapshot);

      for (Follower<ConfigMap> follower : followers) {
        maps.awaitIn(follower);
        assertThat(follower.cache().keySet())
            .contains(ObjectKey.of("default", "deleted"))
            .doesNotContain(ObjectKey.of("default", "never-was"));
        assertThat(follower.status().lists().keySet())
            .isSubsetOf(
                ListReason.START,
                ListReason.WENT_BACK,
                ListReason.WATCH_FAILED,
                ListReason.EXPIRED);
        assertThat(follower.relists()).isPositive();
        eventually().until(() -> follower.informer().problem().isEmpty());
      }
      maps.create("in-the-new-history");
      followers.forEach(maps::awaitIn);
      for (Line line : List.of(streaming, paged)) {
        assertThat(line.warnings()).anyMatch(warning -> warning.contains("versions went back"));
      }
    }
  }

  /** The same address now leads to a server with an outdated state. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void doesNotGoBackToTheStateOfAStaleServer() {
    try (RealApiServer server = start();
        ConfigMaps maps = new ConfigMaps(server, "default");
        ApiServerReplica stale = server.secondServer();
        Line line = Line.to(server);
        Line fresh = Line.to(stale);
        Line freshInPages = Line.inPagesTo(stale)) {
      maps.create("changed");
      maps.create("deleted");
      Follower<ConfigMap> follower = line.followSynced(maps.all());
      maps.awaitIn(follower);
      // The replica must have seen them, too, before it stops seeing anything.
      try (ConfigMaps seen = new ConfigMaps(stale, "default")) {
        eventually().until(() -> seen.truth().size() == 2);
      }

      stale.etcdNetwork().freeze();
      maps.update("changed", "after the freeze");
      maps.delete("deleted");
      maps.awaitIn(follower);
      Map<ObjectKey, String> present = maps.truth();
      line.network().retarget(stale.port());
      line.network().cut();
      line.network().heal();
      List<Follower<ConfigMap>> restarted =
          List.of(fresh.follow(maps.all()), freshInPages.follow(maps.all()));

      eventually()
          .during(Duration.ofSeconds(10))
          .atMost(Duration.ofSeconds(12))
          .untilAsserted(
              () -> {
                assertThat(follower.cache()).isEqualTo(present);
                for (Follower<ConfigMap> other : restarted) {
                  assertThat(other.cache().keySet())
                      .as("the first list is consistent, or there is none")
                      .doesNotContain(ObjectKey.of("default", "deleted"));
                }
              });
      stale.etcdNetwork().heal();
      maps.create("news");

      maps.awaitIn(follower);
      restarted.forEach(maps::awaitIn);
      assertThat(follower.relists()).isLessThan(2);
      assertThat(follower.events().contradictions()).isEmpty();
    }
  }

  /** Servers are replaced one after the other during writes. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void outlivesRollingRestarts() {
    int cuts = 4;
    try (RealApiServer server = start();
        ApiServerReplica second = server.secondServer();
        ConfigMaps maps = new ConfigMaps(server, "default");
        ConfigMaps throughSecond = new ConfigMaps(second, "default");
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server)) {
      List<Line> lines = List.of(streaming, paged);
      List<Follower<ConfigMap>> followers =
          lines.stream().map(line -> line.followSynced(maps.all())).toList();
      for (int cut = 0; cut < cuts; cut++) {
        boolean firstGoes = cut % 2 == 0;
        ConfigMaps writer = firstGoes ? throughSecond : maps;
        int survivor = firstGoes ? second.port() : port(server);
        lines.forEach(line -> line.network().retarget(survivor));
        if (firstGoes) {
          server.killApiServer();
        } else {
          second.kill();
        }
        writer.create("cut-" + cut);
        if (cut > 0) {
          writer.delete("cut-" + (cut - 1));
        }
        if (firstGoes) {
          server.startApiServer();
        } else {
          second.startAgain();
        }
        followers.forEach(writer::awaitIn);
      }

      for (Follower<ConfigMap> follower : followers) {
        assertThat(follower.relists()).isLessThanOrEqualTo(cuts);
        assertThat(follower.status().lists().keySet())
            .isSubsetOf(Set.of(ListReason.START, ListReason.EXPIRED));
        assertThat(follower.events().contradictions()).isEmpty();
      }
    }
  }
}
