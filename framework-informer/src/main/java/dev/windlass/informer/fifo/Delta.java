// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import dev.windlass.object.CachedObject;
import java.util.List;

/**
 * A change to be applied to the cache.
 *
 * @param <T> the Java class of the objects
 */
public sealed interface Delta<T> {

  /** The variants of {@link Delta}, for exhaustive {@code switch} statements. */
  enum Type {
    ADDED,
    UPDATED,
    DELETED,
    REPLACED,
    SYNC
  }

  /** Returns the variant of this change. */
  Type type();

  /**
   * A creation, change or deletion of an object.
   *
   * @param type whether the object was added, updated or deleted
   * @param object the object's state; for a deletion, its last state
   */
  record Change<T>(Type type, CachedObject<T> object) implements Delta<T> {

    /**
     * Checks that the type is one whose changes contain an object.
     *
     * @throws IllegalArgumentException if changes of this type do not contain an object
     */
    public Change {
      if (type == Type.REPLACED || type == Type.SYNC) {
        throw new IllegalArgumentException("changes of type " + type + " have no object");
      }
    }
  }

  /**
   * The response to a list, which contains exactly the objects that exist.
   *
   * @param objects the listed objects
   * @param version the resource version of the list; -1 if it is not a number
   */
  record Replaced<T>(List<CachedObject<T>> objects, long version) implements Delta<T> {
    @Override
    public Type type() {
      return Type.REPLACED;
    }
  }

  /**
   * An action to run between two changes, while the cache does not change. It delivers the content
   * of the cache to a new handler, or redelivers it to a handler that requested resyncs.
   *
   * @param action the action, which the consumer runs; if it throws an exception, it runs again
   *     from the start
   */
  record Sync<T>(Runnable action) implements Delta<T> {
    @Override
    public Type type() {
      return Type.SYNC;
    }
  }
}
