// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class RateLimiterTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration HUNDRED_YEARS = Duration.ofDays(36_500);

  private final ManualScheduler time = new ManualScheduler();

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static List<Duration> waits(RateLimiter<String> limiter, String key, int failures) {
    List<Duration> waits = new ArrayList<>();
    for (int i = 0; i < failures; i++) {
      waits.add(limiter.next(key, i));
    }
    return waits;
  }

  private static void assertRefused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Nested
  final class Exponential {

    private final RateLimiter<String> limiter = RateLimiter.exponential();

    /** 5 ms doubling; the 19th failure reaches 1000 s. */
    @Test
    void doublesFromFiveMillisecondsToAThousandSeconds() {
      List<Duration> waits = waits(limiter, "a", 20);
      assertThat(waits).startsWith(ms(5), ms(10), ms(20), ms(40), ms(80), ms(160), ms(320));
      assertThat(waits.get(17)).hasMillis(5L << 17);
      assertThat(waits.get(18)).hasSeconds(1000);
      assertThat(waits.get(19)).hasSeconds(1000);
    }

    /** The delay stays at the maximum, where a shifted long would overflow after 64 failures. */
    @Test
    void saturates() {
      assertThat(waits(limiter, "a", 200).subList(18, 200)).containsOnly(Duration.ofSeconds(1000));
    }

    /** Durations beyond the range of a long (docs/reliability.md, I2). */
    @Test
    void takesAnyDuration() {
      RateLimiter<String> endless = RateLimiter.exponential(Duration.ofDays(1), FOREVER);
      assertThat(waits(endless, "a", 100).get(99)).isEqualTo(HUNDRED_YEARS);
      assertThat(RateLimiter.<String>exponential(FOREVER, FOREVER).next("a", 0))
          .isEqualTo(HUNDRED_YEARS);
    }

    /** The queue counts; a limiter that is asked again in any order answers the same. */
    @Test
    void countsNothing() {
      assertThat(limiter.next("a", 3)).isEqualTo(ms(40));
      assertThat(limiter.next("a", 0)).isEqualTo(ms(5));
      assertThat(limiter.next("b", 3)).isEqualTo(ms(40));
      assertThat(limiter.next("a", Integer.MAX_VALUE)).hasSeconds(1000);
    }

    @Test
    void hasNoJitterUnlessAskedFor() {
      assertThat(limiter.next("a", 2)).isEqualTo(limiter.next("b", 2));
    }

    @Test
    void addsJitterFromTheGivenGenerator() {
      RateLimiter<String> one = RateLimiter.exponential(ms(10), ms(40), 0.5, new Random(7));
      RateLimiter<String> same = RateLimiter.exponential(ms(10), ms(40), 0.5, new Random(7));
      List<Duration> waits = waits(one, "a", 50);
      assertThat(waits).isEqualTo(waits(same, "a", 50));
      assertThat(waits.get(0)).isBetween(ms(10), ms(15));
      assertThat(waits.subList(2, 50)).allMatch(w -> w.compareTo(ms(40)) >= 0);
      assertThat(waits.subList(2, 50)).allMatch(w -> w.compareTo(ms(60)) <= 0);
      assertThat(waits.subList(2, 50)).doesNotHaveDuplicates();
    }

    @Test
    void namesWhatItRefuses() {
      assertRefused(() -> RateLimiter.exponential(Duration.ZERO, ms(1)), "0 s");
      assertRefused(() -> RateLimiter.exponential(ms(2), ms(1)), "1 ms");
      assertRefused(() -> RateLimiter.exponential(ms(1), ms(1), -0.5, new Random(1)), "-0.5");
    }
  }

  @Nested
  final class Bucket {

    @Test
    void letsABurstThroughAndReservesFromThenOn() {
      RateLimiter<String> bucket = RateLimiter.bucket(time);
      assertThat(waits(bucket, "a", 100)).containsOnly(Duration.ZERO);
      assertThat(waits(bucket, "b", 3)).containsExactly(ms(100), ms(200), ms(300));
    }

    @Test
    void fillsUpAsTimePassesButNotOver() {
      RateLimiter<String> bucket = RateLimiter.bucket(10, 2, time);
      assertThat(waits(bucket, "a", 3)).containsExactly(Duration.ZERO, Duration.ZERO, ms(100));
      time.advance(ms(150));
      assertThat(bucket.next("a", 3)).as("half a token is there").isEqualTo(ms(50));
      time.advance(Duration.ofDays(365));
      assertThat(waits(bucket, "a", 3)).containsExactly(Duration.ZERO, Duration.ZERO, ms(100));
    }

    /** A key whose failures have been reset gets its token back no more than any other. */
    @Test
    void forgetsNoTokens() {
      RateLimiter<String> bucket = RateLimiter.bucket(10, 1, time);
      bucket.next("a", 0);
      assertThat(bucket.next("a", 0)).isEqualTo(ms(100));
    }

    @Test
    void saturates() {
      RateLimiter<String> slow = RateLimiter.bucket(Double.MIN_NORMAL, 1, time);
      waits(slow, "a", 10);
      assertThat(slow.next("a", 10)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
      RateLimiter<String> quick = RateLimiter.bucket(Double.MAX_VALUE, Integer.MAX_VALUE, time);
      assertThat(waits(quick, "a", 10)).containsOnly(Duration.ZERO);
    }

    @Test
    void namesWhatItRefuses() {
      assertRefused(() -> RateLimiter.bucket(0, 1, time), "perSecond", "0.0", "omit the bucket");
      assertRefused(() -> RateLimiter.bucket(Double.NaN, 1, time), "NaN");
      assertRefused(() -> RateLimiter.bucket(Double.POSITIVE_INFINITY, 1, time), "Infinity");
      assertRefused(() -> RateLimiter.bucket(1, 0, time), "burst", "0");
    }
  }

  @Nested
  final class Combined {

    @Test
    void waitForTheLongerOfTwo() {
      RateLimiter<String> limiter =
          RateLimiter.maxOf(RateLimiter.exponential(), RateLimiter.bucket(100, 2, time));
      assertThat(waits(limiter, "a", 2)).containsExactly(ms(5), ms(10));
      assertThat(waits(limiter, "b", 2)).containsExactly(ms(10), ms(20));
    }

    @Test
    void countInBothWhicheverComesFirst() {
      RateLimiter<String> one = RateLimiter.bucket(10, 1, time);
      RateLimiter<String> other = RateLimiter.bucket(5, 1, time);
      assertThat(RateLimiter.maxOf(one, other).next("a", 0)).isZero();
      assertThat(RateLimiter.maxOf(other, one).next("a", 1)).isEqualTo(ms(200));
      assertThat(one.next("a", 2)).isEqualTo(ms(200));
      assertThat(other.next("a", 2)).isEqualTo(ms(400));
      RateLimiter<String> late = RateLimiter.fastSlow(ms(1), ms(20), 1);
      RateLimiter<String> both = RateLimiter.maxOf(late, RateLimiter.exponential());
      assertThat(waits(both, "a", 4)).containsExactly(ms(5), ms(20), ms(20), ms(40));
    }

    @Test
    void waitAtMostTheMaximum() {
      RateLimiter<String> limiter = RateLimiter.<String>exponential().withMaxWait(ms(15));
      assertThat(waits(limiter, "a", 4)).containsExactly(ms(5), ms(10), ms(15), ms(15));
      assertThat(waits(limiter, "a", 2)).containsExactly(ms(5), ms(10));
      assertRefused(() -> limiter.withMaxWait(ms(-1)), "-1 ms");
    }

    @Test
    void areFastAtFirstAndSlowThen() {
      RateLimiter<String> limiter = RateLimiter.fastSlow(ms(5), ms(500), 2);
      assertThat(waits(limiter, "a", 4)).containsExactly(ms(5), ms(5), ms(500), ms(500));
      assertThat(waits(limiter, "b", 3)).containsExactly(ms(5), ms(5), ms(500));
    }

    @Test
    void nameWhatTheyRefuse() {
      assertRefused(() -> RateLimiter.fastSlow(ms(-1), ms(1), 1), "-1 ms");
      assertRefused(() -> RateLimiter.fastSlow(ms(2), ms(1), 1), "2 ms", "1 ms");
      assertRefused(() -> RateLimiter.fastSlow(ms(1), ms(1), -1), "fastTries", "-1");
    }
  }
}
