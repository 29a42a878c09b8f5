// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** Runs schedules side by side until one breaks a promise, and prints what was run. */
final class ScheduleSearch {

  private static final Path FILES = Path.of("target", "simulation");

  private ScheduleSearch() {}

  /** Runs {@code -Dsimulation.schedules} schedules, from {@code -Dsimulation.seed} on. */
  static void run(int schedules) {
    int count = Integer.getInteger("simulation.schedules", schedules);
    long first = Long.getLong("simulation.seed", System.nanoTime() & 0xffff_ffffL);
    AtomicLong steps = new AtomicLong();
    AtomicLong seconds = new AtomicLong();
    AtomicLong changes = new AtomicLong();
    Queue<Convergence> convergences = new ConcurrentLinkedQueue<>();
    long begun = System.nanoTime();
    LongStream.range(first, first + count)
        .parallel()
        .forEach(
            seed -> {
              ScheduleRun.Outcome outcome = run(Schedule.of(seed));
              steps.addAndGet(outcome.steps());
              seconds.addAndGet(outcome.elapsed().toSeconds());
              changes.addAndGet(outcome.changes());
              convergences.add(new Convergence(outcome.convergence(), seed));
            });
    System.out.printf(
        Locale.ROOT,
        "simulation: %d schedules from seed %d, %d steps, %d virtual hours, 0 violations, %.1f s%n",
        count,
        first,
        steps.get(),
        seconds.get() / 3_600,
        (System.nanoTime() - begun) / 1e9);
    List<Convergence> sorted =
        convergences.stream().sorted(Comparator.comparing(Convergence::time)).toList();
    System.out.printf(
        Locale.ROOT,
        "simulation: %d changes, 0 lost keys; converged after the last fault in %.1f s (p50), %.1f s (p99), %.1f s (longest), seed %d%n",
        changes.get(),
        percentile(sorted, 50),
        percentile(sorted, 99),
        percentile(sorted, 100),
        sorted.get(sorted.size() - 1).seed());
  }

  /** How long a schedule took to converge after its last fault. */
  private record Convergence(Duration time, long seed) {}

  private static double percentile(List<Convergence> sorted, int percent) {
    return sorted.get((sorted.size() - 1) * percent / 100).time().toMillis() / 1e3;
  }

  private static ScheduleRun.Outcome run(Schedule schedule) {
    ScheduleRun.Outcome outcome;
    try {
      outcome = ScheduleRun.of(schedule);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(describe(schedule, List.of(e.toString())), e);
    }
    if (!outcome.violations().isEmpty()) {
      throw new AssertionError(describe(schedule, outcome.violations()));
    }
    return outcome;
  }

  private static String describe(Schedule schedule, List<String> violations) {
    Schedule shrunk = ScheduleShrinker.shrink(schedule);
    Path file = FILES.resolve(schedule.seed() + ".replay");
    try {
      Files.createDirectories(FILES);
      Files.writeString(file, shrunk.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return """
        the schedule of seed %d breaks promises: %s
        The shortest schedule that fails; -Dsimulation.replay=%s repeats it:
        %s"""
        .formatted(schedule.seed(), violations, file.toAbsolutePath(), shrunk);
  }
}
