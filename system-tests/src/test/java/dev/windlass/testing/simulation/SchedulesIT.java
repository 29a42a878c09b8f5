// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * As many schedules as one run of CI has time for; see {@link SchedulesTest} and {@link
 * ShardSchedulesTest}.
 */
@Timeout(3_600)
final class SchedulesIT {

  @Test
  void keepThePromises() {
    ScheduleSearch.run(4_000);
  }

  @Test
  void keepThePromisesOfShards() {
    ShardSchedulesTest.search(200);
  }
}
