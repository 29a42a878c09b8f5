// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.BulkLoader;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Widget;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Many informers, and large objects. Covers docs/reliability.md, B6 and E3. */
class ScaleIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private static RealApiServer server() {
    return kubernetes.server();
  }

  /** No connection pool is so small that an informer, or a plain read, waits for others. */
  @Test
  void runsHundredsOfInformersOverOneClient() throws Exception {
    int count = 300;
    try (ConfigMaps maps = new ConfigMaps(server(), "scale-b6");
        Line line = Line.to(server())) {
      maps.create("map-7", Map.of("shard", "7"), "");
      List<Follower<ConfigMap>> followers = new ArrayList<>();
      for (int shard = 0; shard < count; shard++) {
        WatchScope scope = WatchScope.namespace(maps.namespace()).withLabels("shard=" + shard);
        followers.add(line.follow(maps.all().in(scope)));
      }

      eventually()
          .until(() -> line.informers().statuses().stream().allMatch(InformerStatus::synced));

      assertThat(line.network().openConnections()).isGreaterThanOrEqualTo(count);
      var read =
          CompletableFuture.supplyAsync(
              () ->
                  line.client().configMaps().inNamespace(maps.namespace()).withName("map-7").get(),
              task -> new Thread(task).start());
      assertThat(read.get(1, TimeUnit.SECONDS)).isNotNull();
      maps.create("map-299", Map.of("shard", "299"), "");
      eventually().until(() -> maps.isIn(followers.get(299), "map-299"));
      assertThat(followers.get(7).cache()).hasSize(1);
      assertThat(followers.get(8).cache()).isEmpty();
      assertThat(followers).allMatch(follower -> follower.relists() == 0);
      assertThat(line.warnings()).isEmpty();
    }
  }

  /** Objects as large as etcd accepts. */
  @Test
  void bringsObjectsAsLargeAsTheyGet() throws InterruptedException {
    server().install(Widget.definition());
    ResourceType type = ResourceType.of(Widget.class);
    String text = "0123456789".repeat(140_000);
    try (ConfigMaps maps = new ConfigMaps(server(), "scale-large");
        Line streaming = Line.to(server());
        Line paged = Line.inPagesTo(server())) {
      BulkLoader loader = BulkLoader.with(maps.client());
      assertThat(
              loader
                  .create(type.path(maps.namespace()), 3, i -> Widget.json("large-" + i, "1", text))
                  .count())
          .isEqualTo(3);
      for (Line line : List.of(streaming, paged)) {
        var spec = InformerSpec.of(Widget.class).in(WatchScope.namespace(maps.namespace()));
        Follower<Widget> follower = line.followSynced(spec);
        assertThat(
                follower
                    .informer()
                    .lister()
                    .get(ObjectKey.of(maps.namespace(), "large-2"))
                    .orElseThrow()
                    .getSpec()
                    .getParts())
            .containsExactly(text);
      }
    }
  }

  /** A list of 50 MB needs memory for the part that is kept, and little more. */
  @Test
  void fillsItselfInASmallHeap(@TempDir Path directory) throws Exception {
    server().install(Widget.definition());
    int count = 500;
    int length = 100_000;
    String text = "x".repeat(length);
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server().kubeconfig());
    try (ConfigMaps maps = new ConfigMaps(server(), "scale-list")) {
      assertThat(
              BulkLoader.with(maps.client())
                  .inFlight(8)
                  .create(
                      ResourceType.of(Widget.class).path(maps.namespace()),
                      count,
                      i -> Widget.json("widget-" + i, "1", text))
                  .count())
          .isEqualTo(count);

      assertThat(child("128m", kubeconfig, maps, Projection.STRIPPED, "streaming"))
          .startsWith(count + " ");
      assertThat(child("128m", kubeconfig, maps, Projection.STRIPPED, "paged"))
          .startsWith(count + " ");
      assertThat(child("32m", kubeconfig, maps, Projection.METADATA, "streaming"))
          .startsWith(count + " ");
    }
  }

  /** What {@link SmallHeap} prints, with so much memory. */
  private static String child(
      String heap, Path kubeconfig, ConfigMaps maps, Projection projection, String way)
      throws IOException, InterruptedException {
    try (JavaProcess process =
        JavaProcess.start(
            Map.of(),
            List.of(),
            List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"),
            SmallHeap.class,
            kubeconfig.toString(),
            maps.namespace(),
            projection.name(),
            way)) {
      process.awaitExit();
      return String.join("\n", process.lines());
    }
  }
}
