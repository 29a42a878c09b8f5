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

  Type type();

  /**
   * The creation, update or deletion of an object.
   *
   * @param type whether the object was added, updated or deleted
   * @param object the object; for a deletion, its last known version
   */
  record Change<T>(Type type, CachedObject<T> object) implements Delta<T> {

    /**
     * Checks that changes of the given type contain an object.
     *
     * @throws IllegalArgumentException if they do not
     */
    public Change {
      if (type == Type.REPLACED || type == Type.SYNC) {
        throw new IllegalArgumentException("changes of type " + type + " have no object");
      }
    }
  }

  /**
   * A complete list. Objects that are not in the list do not exist on the server.
   *
   * @param objects the listed objects
   * @param version the list's resource version; -1 if it is not a number
   */
  record Replaced<T>(List<CachedObject<T>> objects, long version) implements Delta<T> {
    @Override
    public Type type() {
      return Type.REPLACED;
    }
  }

  /**
   * An action that runs between two changes. The cache does not change while the action runs. The
   * action delivers the content of the cache to a new handler, or to a handler that requested
   * resyncs.
   *
   * @param action the action, which the consumer runs; if it throws an exception, the consumer runs
   *     it again from the start
   */
  record Sync<T>(Runnable action) implements Delta<T> {
    @Override
    public Type type() {
      return Type.SYNC;
    }
  }
}
