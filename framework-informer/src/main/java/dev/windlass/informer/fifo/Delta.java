// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import dev.windlass.object.CachedObject;
import java.util.List;

/**
 * One change that waits to be applied to the cache.
 *
 * @param <T> the typed class of the objects
 */
public sealed interface Delta<T> {

  /** The variants, for exhaustive switches. */
  enum Type {
    ADDED,
    UPDATED,
    DELETED,
    REPLACED,
    SYNC
  }

  /** Which variant this is. */
  Type type();

  /** The object was created. */
  record Added<T>(CachedObject<T> object) implements Delta<T> {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /** The object was changed. */
  record Updated<T>(CachedObject<T> object) implements Delta<T> {
    @Override
    public Type type() {
      return Type.UPDATED;
    }
  }

  /** The object is gone; this was its last state. */
  record Deleted<T>(CachedObject<T> object) implements Delta<T> {
    @Override
    public Type type() {
      return Type.DELETED;
    }
  }

  /**
   * These objects, and no others, exist: the answer to a list.
   *
   * @param version of the list; -1 if that is no number
   */
  record Replaced<T>(List<CachedObject<T>> objects, long version) implements Delta<T> {
    @Override
    public Type type() {
      return Type.REPLACED;
    }
  }

  /**
   * Something to do between two changes, when the cache stands still: showing it to a new handler,
   * or again to one that asked for resyncs.
   *
   * @param action run by the consumer; again from the start if it throws
   */
  record Sync<T>(Runnable action) implements Delta<T> {
    @Override
    public Type type() {
      return Type.SYNC;
    }
  }
}
