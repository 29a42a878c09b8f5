// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Computes the index values of an object. The result must depend only on the object.
 *
 * <p>The informer calls the function for each object that it stores, before readers can see the
 * object. It also calls the function for every stored object when the index is added. Some reads
 * call the function as well: those that access an object during its update, and those that include
 * this process's pending writes. Several threads can therefore call the function at the same time.
 * Each call delays the next change to the cache, so the function must be fast and must not wait for
 * another thread.
 *
 * <p>A call fails if the function throws an exception or an {@link Error}, or if it returns null or
 * a collection that contains null. The object then has no value in this index, but it can still be
 * found by key and in other indices. {@link Indexer#indexFailures()} returns the number of
 * failures. Each index logs its first failure as a warning, and later failures at the debug level.
 * If the object cannot be decoded, the warning names the object instead, and is logged once for all
 * indices and lists.
 *
 * @param <T> the Java class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /**
   * Returns the index values of the given object. The result can be empty. Duplicate values have no
   * effect.
   */
  Collection<String> valuesOf(CachedObject<T> object);
}
