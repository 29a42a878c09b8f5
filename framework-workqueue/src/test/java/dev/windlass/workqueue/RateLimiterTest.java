// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.testing.time.ManualScheduler;
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
      waits.add(limiter.next(key));
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
    @Proves({"001-27", "003-36"})
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
      assertThat(RateLimiter.<String>exponential(FOREVER, FOREVER).next("a"))
          .isEqualTo(HUNDRED_YEARS);
    }

    @Test
    @Proves({"001-59", "003-33"})
    void forgetsOneKeyAndNoOther() {
      waits(limiter, "a", 3);
      waits(limiter, "b", 3);
      limiter.forget("a");
      assertThat(limiter.next("a")).isEqualTo(ms(5));
      assertThat(limiter.next("b")).isEqualTo(ms(40));
    }

    @Test
    void hasNoJitterUnlessAskedFor() {
      assertThat(limiter.next("a")).isEqualTo(limiter.next("b"));
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
      assertThat(bucket.next("a")).as("half a token is there").isEqualTo(ms(50));
      time.advance(Duration.ofDays(365));
      assertThat(waits(bucket, "a", 3)).containsExactly(Duration.ZERO, Duration.ZERO, ms(100));
    }

    @Test
    void forgetsNoTokens() {
      RateLimiter<String> bucket = RateLimiter.bucket(10, 1, time);
      bucket.next("a");
      bucket.forget("a");
      assertThat(bucket.next("a")).isEqualTo(ms(100));
    }

    @Test
    void saturates() {
      RateLimiter<String> slow = RateLimiter.bucket(Double.MIN_NORMAL, 1, time);
      waits(slow, "a", 10);
      assertThat(slow.next("a")).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
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
    @Proves("001-27")
    void waitForTheLongerOfTwo() {
      RateLimiter<String> limiter =
          RateLimiter.maxOf(RateLimiter.exponential(), RateLimiter.bucket(100, 2, time));
      assertThat(waits(limiter, "a", 2)).containsExactly(ms(5), ms(10));
      assertThat(waits(limiter, "b", 2)).containsExactly(ms(10), ms(20));
    }

    @Test
    void countInBothWhicheverComesFirst() {
      RateLimiter<String> one = RateLimiter.exponential();
      RateLimiter<String> other = RateLimiter.fastSlow(ms(1), ms(2), 1);
      RateLimiter<String> both = RateLimiter.maxOf(other, one);
      assertThat(both.next("a")).isEqualTo(ms(5));
      assertThat(one.next("a")).isEqualTo(ms(10));
      assertThat(other.next("a")).isEqualTo(ms(2));
      both.forget("a");
      assertThat(one.next("a")).isEqualTo(ms(5));
      assertThat(other.next("a")).isEqualTo(ms(1));
    }

    @Test
    void waitAtMostTheMaximum() {
      RateLimiter<String> limiter = RateLimiter.<String>exponential().withMaxWait(ms(15));
      assertThat(waits(limiter, "a", 4)).containsExactly(ms(5), ms(10), ms(15), ms(15));
      limiter.forget("a");
      assertThat(limiter.next("a")).isEqualTo(ms(5));
      assertRefused(() -> limiter.withMaxWait(ms(-1)), "-1 ms");
    }

    @Test
    void areFastAtFirstAndSlowThen() {
      RateLimiter<String> limiter = RateLimiter.fastSlow(ms(5), ms(500), 2);
      assertThat(waits(limiter, "a", 4)).containsExactly(ms(5), ms(5), ms(500), ms(500));
      assertThat(limiter.next("b")).isEqualTo(ms(5));
      limiter.forget("a");
      assertThat(limiter.next("a")).isEqualTo(ms(5));
      assertThat(waits(limiter, "b", 2)).containsExactly(ms(5), ms(500));
    }

    @Test
    void nameWhatTheyRefuse() {
      assertRefused(() -> RateLimiter.fastSlow(ms(-1), ms(1), 1), "-1 ms");
      assertRefused(() -> RateLimiter.fastSlow(ms(2), ms(1), 1), "2 ms", "1 ms");
      assertRefused(() -> RateLimiter.fastSlow(ms(1), ms(1), -1), "fastTries", "-1");
    }
  }

  /** A controller that is started again begins anew. */
  @Test
  void forgetsAllKeysIfSoAsked() {
    List<RateLimiter<String>> limiters =
        List.of(
            RateLimiter.exponential(),
            RateLimiter.fastSlow(ms(1), ms(2), 1),
            RateLimiter.<String>exponential().withMaxWait(ms(7)),
            RateLimiter.maxOf(RateLimiter.bucket(time), RateLimiter.exponential()),
            RateLimiter.maxOf(RateLimiter.exponential(), RateLimiter.bucket(time)));
    for (RateLimiter<String> limiter : limiters) {
      Duration first = limiter.next("a");
      Duration second = limiter.next("a");
      assertThat(second).isGreaterThan(first);
      assertThat(waits(limiter, "b", 2)).containsExactly(first, second);
      limiter.forgetAll();
      assertThat(limiter.next("a")).isEqualTo(first);
      assertThat(limiter.next("b")).isEqualTo(first);
    }
  }
}
