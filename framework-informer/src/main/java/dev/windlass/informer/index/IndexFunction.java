// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Says under which values an object is found in an index. Must depend on the object only.
 *
 * <p>It is called once for each state, before that is put, by the thread that puts it; and for the
 * objects that are there already by the thread that adds the index. Reads do not call it, but for
 * those that meet an object in the instant in which that is being updated. So it may run on several
 * threads at once. No lock is held meanwhile and no read waits for it, but the next state does: it
 * must be quick and must not wait for another thread.
 *
 * <p>It fails if it throws, whatever it throws, an {@link OutOfMemoryError} included, which may be
 * due to this object alone; or if it returns null or a null value. Then this state of the object is
 * under no value of this index, and found by key and in other indices only. Failures are counted in
 * {@link Indexer#indexFailures()}; the first one of an index is logged as a warning, those after it
 * at the debug level.
 *
 * @param <T> the typed class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /** The values, none to any number; one that is named twice counts once. */
  Collection<String> valuesOf(CachedObject<T> object);
}
