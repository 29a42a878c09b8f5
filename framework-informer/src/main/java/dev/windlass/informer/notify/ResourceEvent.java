// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;

/**
 * An event about an object. Changes are delivered after the cache has applied them.
 *
 * <p>Informers report only additions, updates and deletions. {@link Generic} events come from other
 * sources.
 *
 * @param <T> the Java class of the objects
 */
public sealed interface ResourceEvent<T> {

  /** The variants of {@link ResourceEvent}, for exhaustive {@code switch} statements. */
  enum Type {
    ADDED,
    UPDATED,
    DELETED,
    GENERIC
  }

  /** Returns the variant of this event. */
  Type type();

  /**
   * Returns the latest known state, which is the new state or the last state of a deleted object.
   */
  CachedObject<T> object();

  /** Returns the object's key. */
  default ObjectKey key() {
    return object().key();
  }

  /**
   * The addition of an object that is new to the handler.
   *
   * @param object the object's state
   * @param initial true if the object existed before the handler was added, false if it was created
   *     later
   */
  record Added<T>(CachedObject<T> object, boolean initial) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /**
   * A change to an object, or a resync, in which nothing has changed and both states are the same.
   * Both states belong to the same object, identified by uid. If an object is replaced by another
   * object with the same name, a deletion and an addition are reported instead.
   *
   * @param old the state that the handler received last
   * @param object the new state
   */
  record Updated<T>(CachedObject<T> old, CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.UPDATED;
    }

    /** Returns whether this event is only a resync, in which nothing has changed. */
    public boolean isResync() {
      return old.isSameState(object);
    }
  }

  /**
   * The deletion of an object.
   *
   * @param object the last known state
   * @param finalStateUnknown whether the watch missed the deletion, so that the object may have had
   *     later states
   */
  record Deleted<T>(CachedObject<T> object, boolean finalStateUnknown) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.DELETED;
    }
  }

  /**
   * An event about an object, from a source other than the API server. Informers never report such
   * events.
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
