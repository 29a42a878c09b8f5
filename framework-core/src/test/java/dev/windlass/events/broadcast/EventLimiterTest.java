// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EventLimiterTest {

  private static final Duration PER_TOKEN = Duration.ofMinutes(5);

  private final EventLimiter<String> limiter = new EventLimiter<>(3, PER_TOKEN, 2);

  private int takeAll(String key, Duration at) {
    int taken = 0;
    while (limiter.tryTake(key, at.toNanos())) {
      taken++;
    }
    return taken;
  }

  @Test
  void savesUpNoMoreThanTheBurst() {
    takeAll("a", Duration.ZERO);
    assertThat(takeAll("a", Duration.ofDays(1000))).isEqualTo(3);
  }

  @Test
  void losesNoTimeToThoseWhoAskTooEarly() {
    takeAll("a", Duration.ZERO);
    for (int i = 1; i < 10; i++) {
      assertThat(takeAll("a", PER_TOKEN.dividedBy(10).multipliedBy(i))).isZero();
    }
    assertThat(takeAll("a", PER_TOKEN)).isEqualTo(1);
  }

  /** The number of keys is bounded; the least recently used key is removed. */
  @Test
  void forgetsTheKeyThatWasUsedLongestAgo() {
    takeAll("a", Duration.ZERO);
    takeAll("b", Duration.ZERO);
    takeAll("a", Duration.ZERO);
    takeAll("c", Duration.ZERO);
    assertThat(takeAll("a", Duration.ZERO)).as("used after b").isZero();
    assertThat(takeAll("b", Duration.ZERO)).as("forgotten").isEqualTo(3);
  }
}
