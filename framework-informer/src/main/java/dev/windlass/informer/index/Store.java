// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Indexer} with methods to store and remove objects. Only one thread at a time may call
 * these methods.
 *
 * @param <T> the Java class of the objects
 */
public interface Store<T> extends Indexer<T> {

  /**
   * Receives each change to a {@link Store}. The store calls the methods on the writer's thread,
   * after the change has become visible to readers.
   *
   * @param <T> the Java class of the objects
   */
  interface Observer<T> {

    /**
     * Receives an object that has been stored.
     *
     * @param before the object that was replaced; null if there was none
     */
    void stored(CachedObject<T> state, @Nullable CachedObject<T> before);

    /** Receives the last state of an object that the store has removed. */
    void removed(CachedObject<T> last);

    /**
     * Receives the resource version of a list after the complete list has been stored.
     *
     * @param version the list's resource version; -1 if it is not a number
     */
    void listed(long version);
  }

  /**
   * Stores the given object and returns the object with the same key that it replaces, or empty if
   * there is none. The store calls the index functions first. If a function fails, the object is
   * missing only from that function's index.
   */
  Optional<CachedObject<T>> put(CachedObject<T> object);

  /** Removes the object with the given key and returns it, or empty if there is none. */
  Optional<CachedObject<T>> remove(ObjectKey key);

  /**
   * Returns whether the given object meets all requirements of the given query. The object does not
   * have to be in the store. This method calls the functions of the indices that the query names.
   *
   * @throws IllegalArgumentException if the query names an index that does not exist; the message
   *     lists the existing indices
   */
  boolean matches(CachedObject<T> object, Query query);

  /**
   * Notifies the observer that the store contains a complete list from the server. Before this
   * call, the writer must remove the objects that are missing from the list. It must also store
   * each object in the list, at its listed version or a later version.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void listed(long version);

  /** Sets the observer to notify of each change. Call this method before the first write. */
  void observe(Observer<T> observer);

  /** Creates an empty store. */
  static <T> Store<T> create() {
    return new ConcurrentStore<>();
  }
}
