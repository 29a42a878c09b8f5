// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;

/**
 * An event about an object. A change to an object is delivered after the cache has applied it.
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

  /** Returns the object in its new state. For a deletion, returns the last known state. */
  CachedObject<T> object();

  /** Returns the object's key. */
  default ObjectKey key() {
    return object().key();
  }

  /**
   * The addition of an object that is new to the handler.
   *
   * @param object the added object
   * @param initial whether the object is in the handler's initial list
   */
  record Added<T>(CachedObject<T> object, boolean initial) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /**
   * An update of an object, or a resync. In a resync, the old state and the new state are the same.
   *
   * <p>Both states have the same uid. If an object is replaced by another object with the same
   * name, the informer reports a deletion and an addition instead.
   *
   * @param old the last state that the handler received
   * @param object the new state
   */
  record Updated<T>(CachedObject<T> old, CachedObject<T> object) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.UPDATED;
    }

    /** Returns whether this event is a resync, in which the object has not changed. */
    public boolean isResync() {
      return old.isSameState(object);
    }
  }

  /**
   * The deletion of an object.
   *
   * @param object the last known state of the object
   * @param finalStateUnknown whether the watch missed the deletion; if so, the object may have
   *     changed again before it was deleted
   */
  record Deleted<T>(CachedObject<T> object, boolean finalStateUnknown) implements ResourceEvent<T> {
    @Override
    public Type type() {
      return Type.DELETED;
    }
  }

  /**
   * An event about an object from a source other than the API server. Informers do not report such
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
