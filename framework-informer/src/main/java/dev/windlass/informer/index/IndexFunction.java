// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Says under which values an object is found in an index. Must depend on the object only: it is
 * called for each of its states, once when that comes and once when it goes.
 *
 * <p>It must be quick and must not wait for another thread, because no state is put meanwhile. An
 * object on which it throws is found by key only.
 *
 * @param <T> the typed class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /** The values, none to any number. */
  Collection<String> valuesOf(CachedObject<T> object);
}
