// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import java.util.Collection;

/**
 * Says under which values an object is found in an index. Must depend on the object only, because
 * it is called once for each of its states.
 *
 * @param <T> the typed class of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /** The values, none to any number. */
  Collection<String> valuesOf(CachedObject<T> object);
}
