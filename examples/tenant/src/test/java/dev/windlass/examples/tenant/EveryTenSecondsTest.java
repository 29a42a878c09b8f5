// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EveryTenSecondsTest {

  private final ManualScheduler time = new ManualScheduler();
  private final AtomicInteger rounds = new AtomicInteger();
  private final EveryTenSeconds component =
      new EveryTenSeconds(
          "ten", rounds::incrementAndGet, InformerOptions.defaults().withScheduler(time));

  @AfterEach
  void stops() throws InterruptedException {
    component.stop(Duration.ofSeconds(10));
  }

  private void awaitRest() {
    eventually().untilAsserted(() -> assertThat(time.pending()).hasSize(1));
  }

  @Test
  void beginsWhenTenSecondsAreOver() {
    component.start();
    awaitRest();
    time.advance(Duration.ofMillis(9_999));
    awaitRest();
    assertThat(rounds).hasValue(0);
    time.advance(Duration.ofMillis(1));
    eventually().untilAsserted(() -> assertThat(rounds).hasValue(1));
    awaitRest();
    time.advance(Duration.ofSeconds(10));
    eventually().untilAsserted(() -> assertThat(rounds).hasValue(2));
  }

  /** A round that takes long is followed by one, and not by all that were missed. */
  @Test
  void leavesOutWhatItHasMissed() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    EveryTenSeconds slow =
        new EveryTenSeconds(
            "slow",
            () -> {
              rounds.incrementAndGet();
              await(release);
            },
            InformerOptions.defaults().withScheduler(time));
    slow.start();
    awaitRest();
    time.advance(Duration.ofSeconds(10));
    eventually().untilAsserted(() -> assertThat(rounds).hasValue(1));
    time.advance(Duration.ofSeconds(35));
    release.countDown();
    eventually()
        .untilAsserted(() -> assertThat(time.pending()).containsExactly(EveryTenSeconds.PERIOD));
    assertThat(rounds).hasValue(2);
    assertThat(slow.stop(Duration.ofSeconds(10))).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** On the leader only, and again if it leads again. */
  @Test
  void endsWhenItIsToldToAndCanBeStartedAgain() throws InterruptedException {
    assertThat(component.phase()).isEqualTo(Phase.LEADER);
    assertThat(component.stop(Duration.ofSeconds(10))).as("before the start").isTrue();
    component.start();
    awaitRest();
    component.cancel(Duration.ZERO);
    assertThat(component.stop(Duration.ofSeconds(10))).isTrue();
    assertThat(time.pending()).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(rounds).hasValue(0);

    component.start();
    awaitRest();
    time.advance(Duration.ofSeconds(10));
    eventually().untilAsserted(() -> assertThat(rounds).hasValue(1));
  }
}
