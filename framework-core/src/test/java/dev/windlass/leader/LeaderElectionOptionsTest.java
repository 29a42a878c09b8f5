// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LeaderElectionOptionsTest {

  private record Case(Runnable setting, String message) {}

  private static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.of("lease");

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Runnable durations(Duration lease, Duration renew, Duration retry) {
    return () -> OPTIONS.withDurations(lease, renew, retry);
  }

  @Test
  void hasTheDefaultsOfClientGo() {
    assertThat(OPTIONS)
        .isEqualTo(
            LeaderElectionOptions.of("lease").withDurations(seconds(15), seconds(10), seconds(2)));
  }

  @Test
  void refusesWhatDoesNotGoTogether() {
    for (Case each :
        List.of(
            new Case(
                durations(seconds(10), seconds(10), seconds(2)),
                "the lease duration 10 s must be longer than the renew deadline 10 s, or another"
                    + " replica leads before this one has stopped"),
            new Case(
                durations(seconds(15), seconds(10), Duration.ofMillis(8_334)),
                "the renew deadline 10 s must be longer than 1.2 times the retry period 8.334 s,"
                    + " or there is no time to renew"),
            new Case(
                durations(seconds(15), seconds(10), Duration.ZERO),
                "the retry period must be more than zero: 0 s"),
            new Case(
                durations(Duration.ofMillis(999), Duration.ofMillis(500), Duration.ofMillis(100)),
                "the lease duration must be at least 1 s, not 999 ms"),
            new Case(
                () -> LeaderElectionOptions.of("My_Lease"),
                "'My_Lease' can't be the name of a lease: use at most 253 lower-case letters,"
                    + " digits, '-' and '.', beginning and ending with a letter or digit"),
            new Case(
                () -> OPTIONS.withNamespace("a".repeat(64)),
                "'%s' can't be the namespace of a lease: use at most 63 lower-case letters, digits,"
                        .formatted("a".repeat(64))
                    + " '-' and '.', beginning and ending with a letter or digit"))) {
      assertThatThrownBy(each.setting()::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(each.message());
    }
    assertThat(
            OPTIONS
                .withDurations(seconds(15), seconds(10), Duration.ofMillis(8_333))
                .retryPeriod()
                .toMillis())
        .isEqualTo(8_333);
  }

  /** Others must wait at least as long as we count on. */
  @Test
  void statesTheLeaseDurationInWholeSecondsRoundedUp() {
    assertThat(OPTIONS.stated()).isEqualTo(seconds(15));
    assertThat(
            OPTIONS
                .withDurations(Duration.ofMillis(1_500), seconds(1), Duration.ofMillis(200))
                .stated())
        .isEqualTo(seconds(2));
  }

  @Test
  void makesIdentitiesDiffer() {
    Random random = new Random(1);
    LeaderElector.Environment surroundings =
        new LeaderElector.Environment(Scheduler.system(), Clock.systemUTC(), Thread::new, random);
    LeaderElectionOptions named = OPTIONS.withIdentity("me");
    String first = LeaderElector.identity(named, surroundings, name -> null);
    assertThat(first).matches("me_[0-9a-f]{16}");
    assertThat(LeaderElector.identity(named, surroundings, name -> null)).isNotEqualTo(first);
    assertThat(LeaderElector.identity(OPTIONS, surroundings, name -> "pod-7"))
        .matches("pod-7_[0-9a-f]{16}");
    assertThat(LeaderElector.identity(OPTIONS, surroundings, name -> null)).matches(".+_\\w{16}");
  }
}
