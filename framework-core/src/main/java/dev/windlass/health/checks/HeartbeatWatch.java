// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects loops that have stopped although they should run, loops that hang in one round, and loops
 * that fail in every round. Call {@link #problem} regularly, because it compares the progress of
 * each loop with the progress at the previous call. This class is thread-safe.
 */
public final class HeartbeatWatch {

  /**
   * The time after which a loop is reported if a round has not ended, or if rounds continue to
   * fail: 40 s. With a probe every 10 s, a problem is detected within 60 s.
   */
  public static final Duration PATIENCE = Duration.ofSeconds(40);

  private final Scheduler scheduler;
  private final PersistentProblems failing;

  /**
   * The progress of a loop, and the time at which this progress was first observed, as a value of
   * {@link Scheduler#nanoTime}.
   */
  private record Seen(long progress, long at) {}

  @GuardedBy("this")
  private Map<String, Seen> seen = new HashMap<>();

  public HeartbeatWatch(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.failing = new PersistentProblems(scheduler, PATIENCE);
  }

  /** Returns a description of the given loops' problems, or empty if there are none. */
  public Optional<String> problem(Collection<Heartbeat> beats) {
    Map<String, Heartbeat> failed =
        beats.stream()
            .filter(beat -> beat.failure().isPresent())
            .collect(Collectors.toMap(Heartbeat::name, beat -> beat, (one, other) -> one));
    Stream<String> lasting =
        failing.of(failed.keySet().stream()).stream()
            .sorted()
            .map(name -> name + " keeps failing" + cause(failed.get(name)));
    String all = Stream.concat(hanging(beats), lasting).collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private static String cause(@Nullable Heartbeat failed) {
    return failed == null ? "" : failed.failure().map(": "::concat).orElse("");
  }

  private synchronized Stream<String> hanging(Collection<Heartbeat> beats) {
    long now = scheduler.nanoTime();
    Map<String, Seen> next = new HashMap<>();
    Stream.Builder<String> problems = Stream.builder();
    for (Heartbeat beat : beats) {
      Seen before = seen.get(beat.name());
      Seen current =
          before != null && before.progress() == beat.progress()
              ? before
              : new Seen(beat.progress(), before == null ? now - beat.busyFor().toNanos() : now);
      next.put(beat.name(), current);
      Duration still = Duration.ofNanos(now - current.at());
      Duration stuck = beat.busyFor().compareTo(still) < 0 ? beat.busyFor() : still;
      if (!beat.running()) {
        problems.add(beat.name() + " has ended");
      } else if (stuck.compareTo(PATIENCE) >= 0) {
        problems.add(beat.name() + " has hung for " + stuck.toSeconds() + " s");
      }
    }
    seen = next;
    return problems.build();
  }
}
