// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random schedules keep the promises. The seeds differ in each run and are printed.
 *
 * <p>{@code -Dsimulation.schedules=10000} runs more of them, {@code -Dsimulation.seed=N} begins at
 * a seed, and {@code -Dsimulation.replay=FILE} runs one schedule from its file.
 */
@Timeout(3_600)
final class SchedulesTest {

  private static final Path FILES = Path.of("target", "simulation");

  @Test
  void keepThePromises() throws IOException {
    long first = Long.getLong("simulation.seed", System.nanoTime() & 0xffff_ffffL);
    int count = Integer.getInteger("simulation.schedules", 200);
    long begun = System.nanoTime();
    long steps = 0;
    Duration virtual = Duration.ZERO;
    for (long seed = first; seed < first + count; seed++) {
      Schedule schedule = Schedule.of(seed);
      ScheduleRun.Outcome outcome = run(schedule);
      if (!outcome.violations().isEmpty()) {
        fail(describe(schedule, outcome.violations()));
      }
      steps += outcome.steps();
      virtual = virtual.plus(outcome.elapsed());
    }
    System.out.printf(
        Locale.ROOT,
        "simulation: %d schedules from seed %d, %d steps, %d virtual hours, 0 violations, %.1f s%n",
        count,
        first,
        steps,
        virtual.toHours(),
        (System.nanoTime() - begun) / 1e9);
  }

  private static ScheduleRun.Outcome run(Schedule schedule) {
    try {
      return ScheduleRun.of(schedule);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("the schedule of seed " + schedule.seed() + " failed: " + e, e);
    }
  }

  private static String describe(Schedule schedule, List<String> violations) throws IOException {
    Schedule shrunk = ScheduleShrinker.shrink(schedule);
    Files.createDirectories(FILES);
    Path file = FILES.resolve(schedule.seed() + ".replay");
    Files.writeString(file, shrunk.toString());
    return """
        the schedule of seed %d breaks promises: %s
        The shortest schedule that fails; -Dsimulation.replay=%s repeats it:
        %s
        with: %s"""
        .formatted(
            schedule.seed(),
            violations,
            file.toAbsolutePath(),
            shrunk,
            ScheduleRun.of(shrunk).violations());
  }

  @Test
  void repeatExactly() {
    Schedule schedule = Schedule.of(4_711);
    ScheduleRun.Outcome once = ScheduleRun.of(schedule);
    assertThat(ScheduleRun.of(Schedule.parse(schedule.toString()))).isEqualTo(once);
    assertThat(once.steps()).isGreaterThan(100);
  }

  @Test
  void repeatAFile() throws IOException {
    Optional<String> file = Optional.ofNullable(System.getProperty("simulation.replay"));
    if (file.isPresent()) {
      Schedule schedule = Schedule.parse(Files.readString(Path.of(file.get())));
      assertThat(ScheduleRun.of(schedule).violations()).isEmpty();
    }
  }
}
