// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.OddScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that stops is detected within 60 s, with a probe every 10 s. */
@Timeout(60)
final class HeartbeatWatchTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualScheduler time = new ManualScheduler();
  private final HeartbeatWatch watch = new HeartbeatWatch(time);

  private static Heartbeat heartbeat(
      boolean running, Duration busyFor, String failure, long progress) {
    return new Heartbeat(
        "loop",
        running,
        busyFor,
        failure.isEmpty() ? Optional.empty() : Optional.of(failure),
        progress);
  }

  private Optional<String> problem(Heartbeat heartbeat) {
    return watch.problem(List.of(heartbeat));
  }

  @Test
  void namesALoopThatHasEnded() throws Exception {
    Loop loop = new Loop("reflector", () -> StepDelay.UNTIL_WOKEN, time, Thread::new);
    loop.start();
    assertThat(problem(Heartbeat.of(loop))).isEmpty();
    loop.stop();
    assertThat(loop.join(Duration.ofSeconds(20))).isTrue();
    assertThat(problem(Heartbeat.of(loop))).contains("reflector has ended");
  }

  @Test
  void namesALoopThatHangsAndNoneThatRests() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Loop hangs =
        new Loop(
            "applier",
            () -> {
              begun.countDown();
              released.await();
              return StepDelay.UNTIL_WOKEN;
            },
            time,
            Thread::new);
    Loop rests = new Loop("reflector", () -> StepDelay.UNTIL_WOKEN, time, Thread::new);
    hangs.start();
    rests.start();
    begun.await();
    time.advance(SECOND);
    assertThat(hangs.busyFor()).isEqualTo(SECOND);
    Eventually.that(() -> assertThat(rests.busyFor()).isZero());
    List<Loop> loops = List.of(hangs, rests);
    assertThat(watch.problem(loops.stream().map(Heartbeat::of).toList())).isEmpty();
    time.advance(HeartbeatWatch.PATIENCE);
    assertThat(watch.problem(loops.stream().map(Heartbeat::of).toList()))
        .contains("applier has hung for 41 s");
    released.countDown();
    Eventually.that(() -> assertThat(hangs.busyFor()).isZero());
    assertThat(watch.problem(loops.stream().map(Heartbeat::of).toList())).isEmpty();
    loops.forEach(Loop::stop);
  }

  @Test
  void hasPatienceWithALongRoundInWhichSomethingGetsDone() {
    Duration busy = Duration.ZERO;
    for (int progress = 0; progress < 10; progress++) {
      assertThat(problem(heartbeat(true, busy, "", progress))).isEmpty();
      time.advance(HeartbeatWatch.PATIENCE.minus(SECOND));
      busy = busy.plus(HeartbeatWatch.PATIENCE.minus(SECOND));
    }
    assertThat(problem(heartbeat(true, busy, "", 9))).isEmpty();
    time.advance(SECOND);
    assertThat(problem(heartbeat(true, busy.plus(SECOND), "", 9)))
        .contains("loop has hung for 40 s");
  }

  @Test
  void seesAtTheFirstLookWhatHasHungForLong() {
    time.advance(Duration.ofMinutes(5));
    assertThat(problem(heartbeat(true, Duration.ofMinutes(2), "", 0)))
        .contains("loop has hung for 120 s");
  }

  @Test
  void namesALoopThatDoesNothingButFail() {
    assertThat(problem(heartbeat(true, Duration.ZERO, "no memory", 0))).isEmpty();
    time.advance(HeartbeatWatch.PATIENCE.minusNanos(1));
    assertThat(problem(heartbeat(true, Duration.ZERO, "no memory", 0))).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(problem(heartbeat(true, Duration.ZERO, "no memory", 0)))
        .contains("loop keeps failing: no memory");
    assertThat(problem(heartbeat(true, Duration.ZERO, "", 0))).isEmpty();
    assertThat(problem(heartbeat(true, Duration.ZERO, "again", 0))).as("counted anew").isEmpty();
  }

  @Test
  void noticesThatNoAlarmRings() {
    AlarmCheck alarms = new AlarmCheck(time);
    assertThat(alarms.find()).isEmpty();
    time.advance(Duration.ofMinutes(5));
    assertThat(alarms.find()).as("it has rung").isEmpty();
    ManualScheduler clock = new ManualScheduler();
    AlarmCheck silent =
        new AlarmCheck(new OddScheduler(clock::nanoTime, (task, delay) -> () -> {}));
    assertThat(silent.find()).isEmpty();
    clock.advance(HeartbeatWatch.PATIENCE.minusNanos(1));
    assertThat(silent.find()).isEmpty();
    clock.advance(Duration.ofNanos(1));
    assertThat(silent.find()).contains("no timer has fired for 40 s");
  }
}
