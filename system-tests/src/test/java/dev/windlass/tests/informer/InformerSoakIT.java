// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything at random, for a while: networks and servers break, objects change, and in the end
 * three kinds of informers and their handlers know what the server has, and never knew anything
 * that was older than what they had known before.
 *
 * <p>{@code -Dsoak=PT5M} sets how long; {@code -Dsoak.seed} repeats the choices of another run,
 * though not its timing.
 */
class InformerSoakIT {

  private static final Logger log = LoggerFactory.getLogger(InformerSoakIT.class);

  private static final Duration LENGTH = Duration.parse(System.getProperty("soak", "PT20S"));
  private static final long SEED = Long.getLong("soak.seed", System.nanoTime());

  /** Half-open connections take up to 45 s, and back-off up to 30 s. */
  private static final Duration CONVERGENCE = Duration.ofSeconds(90);

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  @Test
  void knowsTheTruthInTheEnd() throws InterruptedException {
    log.info("-Dsoak={} -Dsoak.seed={}", LENGTH, SEED);
    RealApiServer server = kubernetes.server();
    try (ConfigMaps maps = new ConfigMaps(server, "default");
        Line streaming = Line.to(server);
        Line paged = Line.inPagesTo(server);
        Line metadata = Line.to(server)) {
      Map<String, Follower<ConfigMap>> followers = new LinkedHashMap<>();
      followers.put("streaming", streaming.follow(maps.all()));
      followers.put("paged", paged.follow(maps.all()));
      followers.put("metadata", metadata.follow(maps.all().with(Projection.METADATA)));
      Nemesis nemesis = new Nemesis(server, List.of(streaming, paged, metadata), SEED);
      long end = System.nanoTime() + LENGTH.toNanos();
      SoakWriter writer = new SoakWriter(maps, SEED);
      try {
        while (System.nanoTime() < end) {
          nemesis.strike();
        }
      } finally {
        writer.stop();
      }
      log.info("{} writes, {} refused; {}", writer.writes(), writer.refused(), nemesis.done());
      assertThat(writer.writes()).isPositive();
      long healed = System.nanoTime();

      Map<ObjectKey, String> truth = truth(maps);
      followers.forEach(
          (name, follower) -> {
            try {
              eventually()
                  .alias(name + ", seed " + SEED)
                  .atMost(CONVERGENCE)
                  .untilAsserted(() -> follower.assertIs(truth));
            } catch (ConditionTimeoutException e) {
              log.error("{} is stuck: {}; {}", name, follower.status(), stacks());
              throw e;
            }
            log.info(
                "{}: right after {} s; {} events, lists {}, failures {}",
                name,
                "%.1f".formatted((System.nanoTime() - healed) / 1e9),
                follower.events().events(),
                follower.status().lists(),
                follower.status().failures());
          });

      followers.forEach(
          (name, follower) -> {
            assertThat(follower.events().contradictions()).as("%s, seed %d", name, SEED).isEmpty();
            assertThat(follower.isAlive()).as("%s, seed %d", name, SEED).isTrue();
            assertThat(follower.status().lists().keySet())
                .as("%s, seed %d: time never went back, and nothing got lost inside", name, SEED)
                .isSubsetOf(ListReason.START, ListReason.EXPIRED, ListReason.WATCH_FAILED);
            assertThat(follower.status().unreadable()).isZero();
            assertThat(follower.status().handlers()).allMatch(handler -> handler.failures() == 0);
          });
      assertThat(truth(maps)).as("nobody has written since").isEqualTo(truth);
    }
  }

  /** Where the threads of the informers are. */
  private static String stacks() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> entry.getKey().getName().startsWith("informer-"))
        .map(entry -> entry.getKey() + " " + List.of(entry.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /** The server may be just about to come back. */
  private static Map<ObjectKey, String> truth(ConfigMaps maps) {
    return Objects.requireNonNull(
        eventually().atMost(CONVERGENCE).ignoreExceptions().until(maps::truth, Objects::nonNull));
  }
}
