// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;

/**
 * Something that happened to an object, after the cache has taken it in.
 *
 * <p>Informers tell of additions, updates and deletions only; {@link Generic} events come from
 * elsewhere.
 *
 * @param <T> the typed class of the objects
 */
public sealed interface ResourceEvent<T> {

  /** The variants, for exhaustive switches. */
  enum Type {
    ADDED,
    UPDATED,
    DELETED,
    GENERIC
  }

  /** Which variant this is. */
  Type type();

  /** The latest state that is known: the new one, or the last one of a deleted object. */
  CachedObject<T> object();

  /** The key of the object. */
  default ObjectKey key() {
    return object().key();
  }

  /**
   * The object is new to the handler.
   *
   * @param initial whether it was there before the handler was, rather than being created now
   */
  record Added<T>(CachedObject<T> object, boolean initial) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /**
   * The object was changed; or, in a resync, nothing happened and both states are the same one.
   * Both are states of one object: a successor of the same name is a deletion and an addition.
   *
   * @param old the state that the handler heard of last
   * @param object the new state
   */
  record Updated<T>(CachedObject<T> old, CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.UPDATED;
    }

    /** Whether nothing happened: the object is shown again because a period is over. */
    public boolean isResync() {
      return old.isSameVersion(object);
    }
  }

  /**
   * The object is gone.
   *
   * @param object its last known state
   * @param finalStateUnknown whether the deletion itself was missed, so that there may have been
   *     later states than this one
   */
  record Deleted<T>(CachedObject<T> object, boolean finalStateUnknown) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.DELETED;
    }
  }

  /**
   * Something happened outside of the API server that concerns the object. Informers never say so.
   *
   * @param object the object, as whoever sent the event described it
   */
  record Generic<T>(CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.GENERIC;
    }
  }
}
