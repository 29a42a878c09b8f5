// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** On virtual time; "threads" run when the test says so. */
final class CallLaneTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ManualScheduler time = new ManualScheduler();
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final CallLane lane = new CallLane(2, threads::add, time);
  private final List<String> outcomes = new ArrayList<>();

  private final class Recorded implements CallLane.Ending {

    private final String name;

    Recorded(String name) {
      this.name = name;
    }

    @Override
    public void answered(byte[] answer) {
      outcomes.add(name + ": " + new String(answer, StandardCharsets.UTF_8));
    }

    @Override
    public void failed(Throwable failure) {
      outcomes.add(name + " failed: " + failure.getMessage());
    }

    @Override
    public void late() {
      outcomes.add(name + " late");
    }
  }

  private void submit(String name, Callable<byte[]> task) {
    lane.submit(task, LIMIT, new Recorded(name));
  }

  private static byte[] ok() {
    return "ok".getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void callsBeyondTheLimitWaitForTheirTurn() {
    submit("a", CallLaneTest::ok);
    submit("b", CallLaneTest::ok);
    submit("c", CallLaneTest::ok);
    assertThat(threads).hasSize(2);

    threads.remove().run();
    assertThat(outcomes).containsExactly("a: ok");
    assertThat(threads).hasSize(2);

    threads.remove().run();
    threads.remove().run();
    assertThat(outcomes).containsExactly("a: ok", "b: ok", "c: ok");
    assertThat(lane.size()).isZero();
  }

  @Test
  void aCallThatWaitsTooLongIsOverAndNeverRuns() {
    submit("a", CallLaneTest::ok);
    submit("b", CallLaneTest::ok);
    submit("c", CallLaneTest::ok);

    time.advance(LIMIT);
    assertThat(outcomes).containsExactlyInAnyOrder("a late", "b late", "c late");

    threads.remove().run();
    threads.remove().run();
    assertThat(threads).isEmpty();
    assertThat(outcomes).hasSize(3);
    assertThat(lane.size()).isZero();
  }

  @Test
  void aCallThatRunsTooLongIsInterruptedAndAnsweredOnce() {
    submit(
        "a",
        () -> {
          time.advance(LIMIT);
          outcomes.add("interrupted: " + Thread.currentThread().isInterrupted());
          return ok();
        });
    threads.remove().run();

    assertThat(outcomes).containsExactly("a late", "interrupted: true");
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void theInterruptOfOneCallDoesNotReachTheNextOnItsThread() {
    submit(
        "a",
        () -> {
          Thread.currentThread().interrupt();
          return ok();
        });
    threads.remove().run();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aFailureOfAnyKindIsReported() {
    submit(
        "a",
        () -> {
          throw new AssertionError("broken");
        });
    threads.remove().run();
    assertThat(outcomes).containsExactly("a failed: broken");
    assertThat(lane.size()).isZero();
  }

  @Test
  void withoutAThreadACallFailsAndLeavesItsPlace() {
    CallLane without =
        new CallLane(
            1,
            task -> {
              throw new RejectedExecutionException("no thread");
            },
            time);
    without.submit(CallLaneTest::ok, LIMIT, new Recorded("a"));
    without.submit(CallLaneTest::ok, LIMIT, new Recorded("b"));
    assertThat(outcomes).containsExactly("a failed: no thread", "b failed: no thread");
    assertThat(without.size()).isZero();
  }
}
