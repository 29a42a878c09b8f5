// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An object's state as known from the response to a write that the watch has not confirmed.
 * Instances are immutable.
 *
 * @param uid the object's uid; empty if unknown
 * @param version the version; -1 if it is not a number
 * @param resourceVersion the version as text
 * @param floor the latest version that is known to have been written under the key; -1 if there is
 *     none
 * @param state the state; null if it is unknown, so that the key is unclear, or if the store must
 *     not contain it
 * @param outside whether the state is known not to match the store's selector
 * @param since the time when the response arrived, in nanoseconds of the scheduler
 */
record UnconfirmedWrite<T>(
    String uid,
    long version,
    String resourceVersion,
    long floor,
    @Nullable CachedObject<T> state,
    boolean outside,
    long since) {

  /**
   * The time within which the store must confirm a state. Afterwards, readers request the state
   * from the server.
   */
  static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(Overlay.UNCONFIRMED_SECONDS);

  /**
   * The time after which unconfirmed entries are dropped if the store has received later versions.
   */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  static <T> UnconfirmedWrite<T> of(CachedObject<T> state, long now) {
    return new UnconfirmedWrite<>(
        state.uid(), state.version(), state.resourceVersion(), state.version(), state, false, now);
  }

  /**
   * Returns the entry for a write that led to this version, but whose resulting state is unknown. A
   * version of -1 means that the version is unknown, or that the write may have failed.
   */
  static <T> UnconfirmedWrite<T> unknown(String uid, long version, long floor, long now) {
    String text = version < 0 ? "" : Long.toString(version);
    return new UnconfirmedWrite<>(uid, version, text, Math.max(version, floor), null, false, now);
  }

  /** Returns the entry for a state of this version that the store must not contain. */
  static <T> UnconfirmedWrite<T> outside(String uid, long version, long now) {
    return new UnconfirmedWrite<>(uid, version, Long.toString(version), version, null, true, now);
  }

  /** Returns a copy of this entry without its state, which makes the key of the entry unclear. */
  UnconfirmedWrite<T> withoutState() {
    return new UnconfirmedWrite<>(uid, version, resourceVersion, floor, null, outside, since);
  }

  /**
   * Returns whether this entry is shown instead of the stored state, which is null if there is
   * none.
   */
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

  /**
   * Returns whether a list shows that the store has received this entry. The version of the list is
   * -1 if it is not a number.
   */
  boolean isIn(long listed, @Nullable CachedObject<T> stored, long now) {
    if (version >= 0 && listed >= 0) {
      return isConfirmed(listed, stored);
    }
    return isOld(now) && (listed < 0 || floor <= listed);
  }

  /**
   * Returns whether a list of this version includes this entry. The result is false while the store
   * contains an earlier state of the same object, because a write that led to this version or a
   * later version may have followed the list.
   */
  boolean isConfirmed(long listed, @Nullable CachedObject<T> stored) {
    boolean behind = stored != null && stored.uid().equals(uid) && isNewerThan(stored);
    return version >= 0 && version <= listed && !behind;
  }

  /**
   * Returns whether the object was created and deleted before a list of this version, and the store
   * does not contain it.
   */
  boolean isMissed(long listed, @Nullable CachedObject<T> stored) {
    return state != null && stored == null && isConfirmed(listed, null);
  }

  /** Returns whether the object's state can only be obtained from the server. */
  boolean isUnclear(@Nullable CachedObject<T> stored, long now, long newest) {
    if (outside && (!isOld(now) || stored == null || !isNewerThan(stored))) {
      return false; // the store agrees with this entry, or will do so soon
    }
    return (state == null || isOld(now)) && !isForgotten(now, newest);
  }

  /**
   * Returns whether this entry is obsolete, because the store has received later versions without
   * confirming it, or can never confirm it.
   *
   * @param newest the highest version that the store has received
   */
  boolean isForgotten(long now, long newest) {
    if (version < 0 && state == null) {
      return isOld(now) && floor <= newest; // the write may have failed
    }
    return now - since >= (outside ? CONFIRMED_WITHIN : FORGOTTEN_AFTER).toNanos()
        && version <= newest;
  }

  /**
   * Returns whether this entry only hides an object that the store does not contain, and is at
   * least {@link #CONFIRMED_WITHIN} old.
   */
  boolean isIdle(@Nullable CachedObject<T> stored, long now) {
    return outside && stored == null && isOld(now);
  }

  private boolean isOld(long now) {
    return now - since >= CONFIRMED_WITHIN.toNanos();
  }
}
