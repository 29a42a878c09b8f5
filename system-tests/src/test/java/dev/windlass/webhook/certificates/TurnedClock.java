// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A wall clock that only the test turns. */
final class TurnedClock extends Clock {

  private volatile Instant now;

  TurnedClock(Instant now) {
    this.now = now;
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  void set(Instant time) {
    now = time;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
