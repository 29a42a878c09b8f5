// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.sources;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How often every object is reconciled without a reason, if nobody says so. */
public final class Resync {

  /** 10 h (controller-runtime). */
  static final Duration PERIOD = Duration.ofHours(10);

  /** By how much resyncs are spread, so that replicas and types do not do it together. */
  private static final double SPREAD = 0.1;

  private Resync() {}

  /** The period, give or take a tenth. */
  public static Duration period(RandomGenerator random) {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (PERIOD.toNanos() * factor));
  }
}
