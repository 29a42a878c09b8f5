// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Determines the values under which an index finds an object. The result must depend only on the
 * object.
 *
 * <p>The function is called once for each state, by the thread that stores the state, before it
 * does so; and for objects that already exist, by the thread that adds the index. Reads do not call
 * it, except those that access an object during its update. It may therefore run on several threads
 * at once. No lock is held meanwhile and no read waits for it, but the next state does, so the
 * function must be quick and must not wait for another thread.
 *
 * <p>The function fails if it throws, even an {@link OutOfMemoryError}, which this object alone may
 * have caused; or if it returns null or a null value. This state of the object then has no value in
 * this index, and is found only by key and in other indices. Failures are counted in {@link
 * Indexer#indexFailures()}; the first failure of an index is logged as a warning, later ones at the
 * debug level.
 *
 * @param <T> the typed class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /** Returns the values of an object: none, one or many. Duplicates count once. */
  Collection<String> valuesOf(CachedObject<T> object);
}
