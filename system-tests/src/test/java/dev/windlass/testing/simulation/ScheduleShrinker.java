// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

/** Removes actions from a failing schedule as long as it still fails. */
final class ScheduleShrinker {

  private ScheduleShrinker() {}

  static Schedule shrink(Schedule failing) {
    Schedule smallest = failing;
    boolean shorter = true;
    while (shorter) {
      shorter = false;
      for (int i = smallest.actions().size() - 1; i >= 0; i--) {
        Schedule candidate = smallest.without(i);
        if (fails(candidate)) {
          smallest = candidate;
          shorter = true;
        }
      }
    }
    return smallest;
  }

  private static boolean fails(Schedule schedule) {
    try {
      return !ScheduleRun.of(schedule).violations().isEmpty();
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }
}
