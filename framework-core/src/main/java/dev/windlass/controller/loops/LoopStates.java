// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDiff;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last two states of the object that caused the last runs of a request, and what they prove.
 * Immutable, so that they can be compared under no lock.
 *
 * @param newest null if none is known
 * @param before the one before it; null if none is known
 * @param place where they differ; null until two did
 * @param flips how often the newest was like the one before the last
 */
record LoopStates(
    @Nullable CachedObject<?> newest,
    @Nullable CachedObject<?> before,
    @Nullable String place,
    int flips) {

  /** So many flips prove a loop. */
  static final int PROOF = 10;

  /** None. */
  static final LoopStates NONE = new LoopStates(null, null, null, 0);

  /** Whether no object is held. */
  boolean isEmpty() {
    return newest == null;
  }

  /** Whether runs with such states lead nowhere. */
  boolean proveALoop() {
    return flips >= PROOF;
  }

  /** These and one more. Takes time in proportion to the objects. */
  LoopStates with(CachedObject<?> state) {
    CachedObject<?> last = newest;
    if (last == null || !last.uid().equals(state.uid())) {
      return new LoopStates(state, null, place, flips);
    }
    Optional<String> difference = ObjectDiff.firstDifference(last, state);
    if (difference.isEmpty()) {
      return this;
    }
    CachedObject<?> secondLast = before;
    boolean flip = secondLast != null && ObjectDiff.firstDifference(secondLast, state).isEmpty();
    return new LoopStates(state, last, difference.get(), flip ? flips + 1 : flips);
  }

  /** What is known of why, for people. */
  String story() {
    CachedObject<?> object = newest;
    if (object == null || place == null) {
      return "";
    }
    return ": "
        + object.type().kind()
        + " "
        + object.key()
        + (flips > 0 ? " goes back and forth at " : " keeps changing at ")
        + place;
  }
}
