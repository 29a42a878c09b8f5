// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The default resync period. At each resync, all objects are reconciled. */
final class ResyncPeriod {

  /** The period without jitter: 10 h, as in controller-runtime. */
  static final Duration PERIOD = Duration.ofHours(10);

  /**
   * The jitter, as a fraction of the period: 0.1. It prevents replicas and types from resyncing at
   * the same time.
   */
  private static final double SPREAD = 0.1;

  private ResyncPeriod() {}

  /** Returns the period, randomly extended or shortened by up to 10 %. */
  static Duration period(RandomGenerator random) {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (PERIOD.toNanos() * factor));
  }
}
