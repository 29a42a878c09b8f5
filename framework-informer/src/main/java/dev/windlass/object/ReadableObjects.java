// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The result of a list that does not fail if some of the objects cannot be decoded into their
 * class. The caller can modify the list and the map.
 *
 * @param objects the decoded objects
 * @param unreadable the keys of the other objects, with the reason why each of them cannot be
 *     decoded
 * @param <T> the Java class of the objects
 */
public record ReadableObjects<T>(List<T> objects, Map<ObjectKey, UndecodableException> unreadable) {

  /** Reads the given objects with a function that throws an exception if it cannot decode one. */
  public static <C, T> ReadableObjects<T> of(
      List<CachedObject<C>> states, Function<? super CachedObject<C>, ? extends T> read) {
    ReadableObjects<T> result =
        new ReadableObjects<>(new ArrayList<>(states.size()), new LinkedHashMap<>());
    for (CachedObject<C> state : states) {
      try {
        result.objects.add(read.apply(state));
      } catch (UndecodableException e) {
        result.unreadable.put(state.key(), e);
      }
    }
    return result;
  }

  /**
   * Returns all objects.
   *
   * @throws UndecodableException if an object cannot be decoded; the message names the object and
   *     the field
   */
  public List<T> all() {
    for (UndecodableException e : unreadable.values()) {
      throw e;
    }
    return objects;
  }
}
