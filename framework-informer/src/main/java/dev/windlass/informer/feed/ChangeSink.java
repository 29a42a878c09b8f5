// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import java.util.List;

/**
 * Where a {@link Reflector} puts what it learns, in the server's order. Called by one thread; must
 * not block.
 *
 * @param <T> the typed class of the objects
 */
public interface ChangeSink<T> {

  /**
   * These, and no others, exist.
   *
   * @param version of the list that says so; -1 if that is no number
   */
  void replace(List<CachedObject<T>> objects, long version);

  /** The object was created. */
  void added(CachedObject<T> object);

  /** The object was changed. */
  void updated(CachedObject<T> object);

  /** The object is gone; this was its last state. */
  void deleted(CachedObject<T> object);
}
