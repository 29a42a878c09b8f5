// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When a fence is open: 10 s from the start of the last renewal. */
final class LeaseFenceTest {

  private final ManualScheduler time = new ManualScheduler();
  private final LeaseFence fence = new LeaseFence(LeaderElectionOptions.of("lease"), time);

  @Test
  void staysOpenWhileItIsExtended() {
    fence.open(time.nanoTime());
    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofSeconds(9));
      assertThat(fence.extend(time.nanoTime())).isTrue();
    }
    assertThat(fence.left()).isEqualTo(Duration.ofSeconds(10));
  }

  /** Code that has seen the fence closed may have acted on that. */
  @Test
  void staysClosedForTheRestOfTheTerm() {
    fence.open(time.nanoTime());
    time.advance(Duration.ofSeconds(10));
    assertThat(fence.holds()).isFalse();
    assertThat(fence.extend(time.nanoTime())).isFalse();
    assertThat(fence.holds()).isFalse();
    assertThatThrownBy(fence::check)
        .isInstanceOf(LeadershipLostException.class)
        .hasMessageContaining("it was not renewed within");
    fence.open(time.nanoTime());
    assertThat(fence.holds()).as("the next term").isTrue();
  }

  @Test
  void isNotExtendedAfterItWasClosed() {
    fence.open(time.nanoTime());
    fence.close("the elector has stopped");
    assertThat(fence.extend(time.nanoTime())).isFalse();
    assertThatThrownBy(fence::check).hasMessageEndingWith(": the elector has stopped");
  }

  /** A renewal that was answered too late says that it was open until then, and not that it is. */
  @Test
  void isNotOpenAfterARenewalThatTookTooLong() {
    fence.open(time.nanoTime());
    time.advance(Duration.ofSeconds(5));
    assertThat(fence.extend(time.nanoTime() - Duration.ofSeconds(11).toNanos())).isFalse();
    assertThat(fence.holds()).isFalse();
  }

  /** A close between the check and the registration would otherwise not reach the action. */
  @Test
  void registersAnActionBeforeItChecksTheFence() {
    List<Boolean> registered = new ArrayList<>();
    AtomicReference<LeaseFence> checked = new AtomicReference<>();
    Scheduler watched =
        new Scheduler() {
          @Override
          public long nanoTime() {
            Optional.ofNullable(checked.get())
                .ifPresent(fence -> registered.add(!fence.idle().isDone()));
            return time.nanoTime();
          }

          @Override
          public Alarm schedule(Runnable task, Duration delay) {
            return time.schedule(task, delay);
          }
        };
    LeaseFence other = new LeaseFence(LeaderElectionOptions.of("lease"), watched);
    other.open(time.nanoTime());
    checked.set(other);
    List<String> cut = new ArrayList<>();
    Fence.Action action = other.pass(() -> cut.add("cut"));
    assertThat(registered).isNotEmpty().doesNotContain(false);
    other.close("lost");
    assertThat(cut).containsExactly("cut");
    action.ended();
  }
}
