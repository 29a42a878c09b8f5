// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import java.util.List;

/**
 * Receives the changes that a {@link Reflector} observes, in the order in which the server sends
 * them. Only one thread calls the methods. They must not block.
 *
 * @param <T> the Java class of the objects
 */
public interface ChangeSink<T> {

  /**
   * Receives a complete list. Objects that are not in the list do not exist on the server.
   *
   * @param version the list's resource version; -1 if it is not a number
   */
  void replace(List<CachedObject<T>> objects, long version);

  /** Receives an object that was created. */
  void added(CachedObject<T> object);

  /** Receives an object that was changed. */
  void updated(CachedObject<T> object);

  /** Receives the last state of an object that was deleted. */
  void deleted(CachedObject<T> object);
}
