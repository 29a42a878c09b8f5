// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

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
    ReadableObjects<T> result = none();
    for (CachedObject<C> state : states) {
      try {
        result.objects.add(read.apply(state));
      } catch (UndecodableException e) {
        result.unreadable.put(state.key(), e);
      }
    }
    return result;
  }

  /** Returns a result without objects, to which the caller can add some. */
  public static <T> ReadableObjects<T> none() {
    return new ReadableObjects<>(new ArrayList<>(), new LinkedHashMap<>());
  }

  /**
   * Reads one object with a function that throws an {@link UndecodableException}, or an exception
   * that it has caused, if it cannot decode the object.
   */
  public static <T> ReadableObjects<T> of(ObjectKey key, Supplier<Optional<T>> read) {
    ReadableObjects<T> result = none();
    try {
      read.get().ifPresent(result.objects::add);
    } catch (RuntimeException e) {
      Throwable failure = e instanceof UndecodableException ? e : e.getCause();
      if (!(failure instanceof UndecodableException unreadable)) {
        throw e;
      }
      result.unreadable.put(key, unreadable);
    }
    return result;
  }

  /** Adds the objects of another list. */
  public void addAll(ReadableObjects<T> more) {
    objects.addAll(more.objects);
    unreadable.putAll(more.unreadable);
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
