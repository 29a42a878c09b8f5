// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RecentFailuresTest {

  private final ManualScheduler time = new ManualScheduler();
  private final RecentFailures failures = new RecentFailures(time);

  private static Request request(int number) {
    return Request.of("default", "o" + number);
  }

  /** Of all of them, beyond those whose errors are kept. */
  @Test
  void knowSinceWhenEachRequestFails() {
    assertThat(failures.longest()).isZero();
    failures.failed(request(0), "", new IllegalStateException("x"));
    time.advance(Duration.ofHours(1));
    for (int i = 0; i <= RecentFailures.MOST; i++) {
      failures.failed(request(i), "", new IllegalStateException("x"));
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(failures.count()).isEqualTo(RecentFailures.MOST + 1);
    assertThat(failures.longest()).isEqualTo(Duration.ofMinutes(61));
    failures.recovered(request(0));
    assertThat(failures.count()).isEqualTo(RecentFailures.MOST);
    assertThat(failures.longest()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void areReportedOnce() {
    assertThat(failures.isNew(request(1), "u", "p")).isTrue();
    assertThat(failures.isNew(request(1), "u", "p")).isFalse();
    assertThat(failures.isNew(request(2), "u", "p")).isTrue();
    assertThat(failures.isNew(request(1), "u", "other")).isTrue();
    assertThat(failures.isNew(request(1), "v", "other")).isTrue();
    failures.recovered(request(1));
    assertThat(failures.isNew(request(1), "v", "other")).isTrue();
    assertThat(failures.isNew(request(2), "u", "p")).isFalse();
  }

  @Test
  void areReportedAgainBeyondTheMost() {
    for (int i = 0; i <= RecentFailures.MOST_REPORTED; i++) {
      failures.isNew(request(i), "u", "p");
    }
    assertThat(failures.isNew(request(RecentFailures.MOST_REPORTED), "u", "p")).isFalse();
    assertThat(failures.isNew(request(1), "u", "p")).isFalse();
    assertThat(failures.isNew(request(0), "u", "p")).as("the oldest").isTrue();
  }

  /** More errors than are kept for diagnosis must not hide a report that is to be forgotten. */
  @Test
  void forgetAReportAlsoWhenTheErrorIsNoLongerKept() {
    failures.isNew(request(0), "u", "p");
    for (int i = 0; i <= RecentFailures.MOST; i++) {
      failures.failed(request(i), "", new IllegalStateException("x"));
    }
    failures.latestFirst().forEach(failure -> failures.recovered(failure.request()));
    assertThat(failures.latestFirst()).isEmpty();
    failures.recovered(request(0));
    assertThat(failures.isNew(request(0), "u", "p")).isTrue();
  }
}
