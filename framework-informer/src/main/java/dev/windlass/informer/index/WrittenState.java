// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the answer to a write said of an object. Immutable.
 *
 * @param uid of the object; empty if it is not known
 * @param version -1 if it is no number
 * @param floor the latest version under the key that is known to have been written; -1 if none is
 * @param state null if it is not known: unclear; or if the store must not have it
 * @param outside whether it is known that the store's selector does not choose this state
 * @param since when the answer came, in nanoseconds of the scheduler
 */
record WrittenState<T>(
    String uid,
    long version,
    String resourceVersion,
    long floor,
    @Nullable CachedObject<T> state,
    boolean outside,
    long since) {

  /** How long the store may take to confirm a state before the server is asked. */
  static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(Overlay.UNCONFIRMED_SECONDS);

  /** After that, what the store can't confirm is forgotten, if it takes in later versions. */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  static <T> WrittenState<T> of(CachedObject<T> state, long now) {
    return new WrittenState<>(
        state.uid(), state.version(), state.resourceVersion(), state.version(), state, false, now);
  }

  /** A write that led to this version, or perhaps to none if that is -1. */
  static <T> WrittenState<T> unknown(String uid, long version, long floor, long now) {
    String text = version < 0 ? "" : Long.toString(version);
    return new WrittenState<>(uid, version, text, Math.max(version, floor), null, false, now);
  }

  /** A state of this version that the store must not have. */
  static <T> WrittenState<T> outside(String uid, long version, long now) {
    return new WrittenState<>(uid, version, Long.toString(version), version, null, true, now);
  }

  /** The same, but unclear. */
  WrittenState<T> withoutState() {
    return new WrittenState<>(uid, version, resourceVersion, floor, null, outside, since);
  }

  /** Whether it is to be shown in place of what the store has; null is nothing. */
  boolean isNewerThan(@Nullable CachedObject<T> stored) {
    if (stored == null) {
      return true;
    }
    return (version < 0 || stored.version() < 0)
        ? !stored.resourceVersion().equals(resourceVersion)
        : stored.version() < version;
  }

  int bytes() {
    return state == null ? 0 : state.sizeInBytes();
  }

  /** Whether a list of this version, -1 if that is no number, shows that the store has had it. */
  boolean isIn(long listed, long now) {
    if (version >= 0 && listed >= 0) {
      return version <= listed;
    }
    return isOld(now) && (listed < 0 || floor <= listed);
  }

  /** Whether only the server knows what the object is like. */
  boolean isUnclear(@Nullable CachedObject<T> stored, long now, long newest) {
    if (outside && (!isOld(now) || stored == null || !isNewerThan(stored))) {
      return false; // what the store has agrees with it, or will soon
    }
    return (state == null || isOld(now)) && !isForgotten(now, newest);
  }

  /**
   * Whether it is of no use any more: the store has moved on without confirming it, or will never
   * be able to.
   *
   * @param newest the highest version that the store has taken in
   */
  boolean isForgotten(long now, long newest) {
    if (version < 0 && state == null) {
      return isOld(now) && floor <= newest; // perhaps nothing was written at all
    }
    return now - since >= (outside ? CONFIRMED_WITHIN : FORGOTTEN_AFTER).toNanos()
        && version <= newest;
  }

  /** Whether it only says that the store should not have what it has not had for long. */
  boolean isIdle(@Nullable CachedObject<T> stored, long now) {
    return outside && stored == null && isOld(now);
  }

  private boolean isOld(long now) {
    return now - since >= CONFIRMED_WITHIN.toNanos();
  }
}
