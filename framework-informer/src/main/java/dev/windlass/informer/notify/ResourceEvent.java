// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;

/**
 * A change to an object, delivered after the cache has applied it.
 *
 * <p>Informers report additions, updates and deletions only; {@link Generic} events come from other
 * sources.
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

  /** Returns the variant of this event. */
  Type type();

  /** Returns the latest known state: the new one, or the last one of a deleted object. */
  CachedObject<T> object();

  /** Returns the key of the object. */
  default ObjectKey key() {
    return object().key();
  }

  /**
   * The object is new to the handler.
   *
   * @param initial whether the object existed before the handler was added, rather than being
   *     created now
   */
  record Added<T>(CachedObject<T> object, boolean initial) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /**
   * The object was changed; or, in a resync, nothing changed and both states are the same one. Both
   * states belong to one object: a successor with the same name is a deletion and an addition.
   *
   * @param old the state that the handler received last
   * @param object the new state
   */
  record Updated<T>(CachedObject<T> old, CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.UPDATED;
    }

    /** Reports whether nothing changed: the object is delivered again because a resync is due. */
    public boolean isResync() {
      return old.isSameVersion(object);
    }
  }

  /**
   * The object was deleted.
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
   * Something happened outside the API server that concerns the object. Informers never report
   * this.
   *
   * @param object the object, as described by the sender of the event
   */
  record Generic<T>(CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.GENERIC;
    }
  }
}
