// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The default period after which every object is reconciled without an event. */
final class ResyncPeriod {

  /** The period before variation: 10 h, as in controller-runtime. */
  static final Duration PERIOD = Duration.ofHours(10);

  /**
   * The maximum variation, as a fraction of the period: 0.1. It prevents simultaneous resyncs of
   * replicas and types.
   */
  private static final double SPREAD = 0.1;

  private ResyncPeriod() {}

  /** Returns the period, randomly varied by up to 10 %. */
  static Duration period(RandomGenerator random) {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (PERIOD.toNanos() * factor));
  }
}
