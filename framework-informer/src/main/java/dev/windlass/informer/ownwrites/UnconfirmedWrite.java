// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A write by this process that the store has not received yet. Instances are immutable.
 *
 * @param uid the object's uid; empty if unknown
 * @param version the object's version after the write; -1 if it is unknown or is not a number
 * @param resourceVersion the version as text; empty if unknown
 * @param floor the highest version that a write to the key is known to have produced; -1 if there
 *     is none
 * @param state the object after the write; null if it is unknown, or if the store must not contain
 *     it
 * @param outside whether the object does not match the store's selector after the write
 * @param since the time at which the write was recorded, in nanoseconds of the monotonic clock
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
   * The time within which the store is expected to receive a write. After this time, the key is
   * {@linkplain Overlay#isUnclear unclear}, and callers must read the object from the server.
   */
  static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(Overlay.UNCONFIRMED_SECONDS);

  /**
   * The time after which the overlay drops a write that the store has not received, provided that
   * the store has received a version that is at least as high: 10 min.
   */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  static <T> UnconfirmedWrite<T> of(CachedObject<T> state, long now) {
    return new UnconfirmedWrite<>(
        state.uid(), state.version(), state.resourceVersion(), state.version(), state, false, now);
  }

  /**
   * Returns an entry for a write whose result is unknown.
   *
   * @param version the lowest version that the write can have produced, as a number; -1 if it is
   *     unknown or if the write may have failed
   */
  static <T> UnconfirmedWrite<T> unknown(String uid, long version, long floor, long now) {
    String text = version < 0 ? "" : Long.toString(version);
    return new UnconfirmedWrite<>(uid, version, text, Math.max(version, floor), null, false, now);
  }

  /** Returns an entry for a write after which the object does not match the store's selector. */
  static <T> UnconfirmedWrite<T> outside(String uid, long version, long now) {
    return new UnconfirmedWrite<>(uid, version, Long.toString(version), version, null, true, now);
  }

  /**
   * Returns a copy of this entry without the object. The copy makes the key {@linkplain
   * Overlay#isUnclear unclear}.
   */
  UnconfirmedWrite<T> withoutState() {
    return new UnconfirmedWrite<>(uid, version, resourceVersion, floor, null, outside, since);
  }

  /**
   * Returns whether this write is newer than the stored object. If the versions are not numbers,
   * returns whether they are different.
   *
   * @param stored the stored object; null if there is none, in which case the result is true
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
   * Returns whether a list shows that the store has received this write. If the version of the
   * write or of the list is not a number, the write counts as received after {@link
   * #CONFIRMED_WITHIN}, unless the list is known to be older.
   *
   * @param listed the version of the list; -1 if it is not a number
   */
  boolean isIn(long listed, @Nullable CachedObject<T> stored, long now) {
    if (version >= 0 && listed >= 0) {
      return isConfirmed(listed, stored);
    }
    return isOld(now) && (listed < 0 || floor <= listed);
  }

  /**
   * Returns whether a list of the given version is known to include this write. Returns false if
   * the store contains an older version of the same object. The version of a write can be a lower
   * bound, in which case the write may have followed the list.
   */
  boolean isConfirmed(long listed, @Nullable CachedObject<T> stored) {
    boolean behind = stored != null && stored.uid().equals(uid) && isNewerThan(stored);
    return version >= 0 && version <= listed && !behind;
  }

  /**
   * Returns whether the object was deleted before the list of the given version was read. This is
   * the case if the list includes this write, but the store does not contain the object.
   */
  boolean isMissed(long listed, @Nullable CachedObject<T> stored) {
    return state != null && stored == null && isConfirmed(listed, null);
  }

  /**
   * Returns whether only the server can provide the current state of the object.
   *
   * @param newest the highest version that the store has received
   */
  boolean isUnclear(@Nullable CachedObject<T> stored, long now, long newest) {
    if (outside && (!isOld(now) || stored == null || !isNewerThan(stored))) {
      return false; // the store agrees with this entry, or will do so soon
    }
    return (state == null || isOld(now)) && !isForgotten(now, newest);
  }

  /**
   * Returns whether this entry is obsolete although the store has not received the write. This is
   * the case if the store has received a version that is at least as high, and a time limit has
   * passed. The limit is {@link #CONFIRMED_WITHIN} if the object does not match the selector or if
   * the write may have failed; otherwise, the limit is {@link #FORGOTTEN_AFTER}.
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
   * Returns whether this entry has no effect because it hides an object that the store does not
   * contain. Always returns false until the entry is {@link #CONFIRMED_WITHIN} old.
   */
  boolean isIdle(@Nullable CachedObject<T> stored, long now) {
    return outside && stored == null && isOld(now);
  }

  private boolean isOld(long now) {
    return now - since >= CONFIRMED_WITHIN.toNanos();
  }
}
