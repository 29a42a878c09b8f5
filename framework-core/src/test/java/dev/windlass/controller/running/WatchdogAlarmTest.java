// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the watchdog looks. */
@Timeout(30)
final class WatchdogAlarmTest extends WatchdogHarness {

  /** One alarm for all of them, and none that is left behind. */
  @Test
  void keepsOneAlarm() {
    Worker worker = use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    for (int i = 0; i < 100; i++) {
      run.keys().queue().add(Request.of("key-" + i));
      worker.step();
      time.advance(Duration.ofMillis(10));
    }
    assertThat(time.pending()).hasSize(1);
    run.watchdog().close();
    assertThat(time.pending()).isEmpty();
  }

  /** What was left alone is looked at in minutes; that is too late for the next. */
  @Test
  void looksInTimeAfterOneThatWasLeftAlone() {
    use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    run.watchdog().began(active("first"));
    time.advance(MINUTE.plus(Watchdog.GRACE));
    run.watchdog().began(active("second"));
    time.advance(MINUTE);
    assertThat(heard).containsExactly("timed out first", "stuck first PT1M10S", "timed out second");
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Slowness that comes before the time-out is told in time, and the time-out is kept. */
  @Test
  void namesTheSlowOnesAlsoBeforeTheirTimeOut() {
    Duration ten = Duration.ofSeconds(10);
    use(
        ControllerOptions.defaults()
            .with(o -> o.reconcileTimeout = MINUTE)
            .with(o -> o.slowAfter = ten));
    try (Logs logs = Logs.of(Controller.class)) {
      run.watchdog().began(active("slow"));
      for (int times : List.of(1, 1, 2)) {
        int before = logs.lines().size();
        time.advance(ten.multipliedBy(times).minusNanos(1));
        assertThat(logs.lines()).hasSize(before);
        time.advance(Duration.ofNanos(1));
        assertThat(logs.lines()).as("after 10, 20 and 40 s").hasSize(before + 1);
      }
      time.advance(ten.multipliedBy(2).minusNanos(1));
      assertThat(heard).isEmpty();
    }
    time.advance(Duration.ofNanos(1));
    assertThat(heard).containsExactly("timed out slow");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void setsNoAlarmOnceItIsClosed() {
    use(ControllerOptions.defaults().with(o -> o.reconcileTimeout = MINUTE));
    run.watchdog().close();
    run.watchdog().began(active("late"));
    assertThat(time.pending()).isEmpty();
  }
}
