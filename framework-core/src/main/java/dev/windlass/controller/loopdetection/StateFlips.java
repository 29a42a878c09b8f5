// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.object.CachedObject;
import dev.windlass.object.patch.ObjectDiff;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last two states of the object that causes the runs of a request. Also counts how often the
 * object has returned to an earlier state. Instances are immutable, so comparing objects requires
 * no lock.
 *
 * @param newest the latest state, or null if none is known
 * @param before the previous state, or null if none is known
 * @param place the field in which the two states differ, or null if no difference has been found
 * @param flips how often the object has returned to the state before the previous one
 */
record StateFlips(
    @Nullable CachedObject<?> newest,
    @Nullable CachedObject<?> before,
    @Nullable String place,
    int flips) {

  /** The number of flips at which a loop is proven. */
  static final int PROOF = 10;

  /** An instance without states. */
  static final StateFlips NONE = new StateFlips(null, null, null, 0);

  /** Returns whether these states prove that the runs do not make progress. */
  boolean proveALoop() {
    return flips >= PROOF;
  }

  /**
   * Returns a copy with the given latest state. The time that this takes is proportional to the
   * size of the objects.
   */
  StateFlips with(CachedObject<?> state) {
    CachedObject<?> last = newest;
    if (last == null || !last.uid().equals(state.uid())) {
      return new StateFlips(state, null, place, flips);
    }
    Optional<String> difference = ObjectDiff.firstDifference(last, state);
    if (difference.isEmpty()) {
      return this;
    }
    CachedObject<?> secondLast = before;
    boolean flip = secondLast != null && ObjectDiff.firstDifference(secondLast, state).isEmpty();
    return new StateFlips(state, last, difference.get(), flip ? flips + 1 : flips);
  }

  /**
   * Returns a description of the cause of the runs for the log, or an empty string if the cause is
   * unknown.
   */
  String story() {
    CachedObject<?> object = newest;
    if (object == null || place == null) {
      return "";
    }
    return ": "
        + object.type().kind()
        + " "
        + object.key()
        + (flips > 0 ? " alternates between two states at " : " keeps changing at ")
        + place;
  }
}
