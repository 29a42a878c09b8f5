// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Determines the values by which an index finds an object. The result must depend only on the
 * object.
 *
 * <p>The thread that stores a state calls the function once for that state, before storing it. The
 * thread that adds an index calls the function for the objects that already exist. Reads do not
 * call the function, except reads that access an object during its update, and reads of this
 * process's writes that the store has not received yet. The function can therefore run on several
 * threads at the same time. The caller does not hold a lock during the call, and reads do not wait
 * for the function. The writer waits for the call before it stores the next state, so the function
 * must be quick and must not wait for another thread.
 *
 * <p>The function fails if it throws an exception, even an {@link OutOfMemoryError}, because this
 * object alone may have caused the error. It also fails if it returns null or a null value. A state
 * for which the function has failed has no value in this index, and can be found only by key and in
 * other indices. {@link Indexer#indexFailures()} counts failures. An index logs its first failure
 * as a warning, and later failures at the debug level.
 *
 * @param <T> the Java class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /**
   * Returns an object's values. An object can have any number of values, including none. Duplicates
   * count once.
   */
  Collection<String> valuesOf(CachedObject<T> object);
}
