// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of one type that are known to exist, found by key or by index.
 *
 * <p>Reads never wait and see each key at its latest state or the one before; two reads in a row
 * may see changes between them. All methods may be called from any thread.
 *
 * @param <T> the typed class of the objects
 */
public interface Indexer<T> {

  /** The name of the index by namespace, which every indexer has. */
  String BY_NAMESPACE = "namespace";

  /** The object under the key, if there is one. */
  Optional<CachedObject<T>> get(ObjectKey key);

  /** All objects, in no order. */
  List<CachedObject<T>> list();

  /** The keys of all objects, in no order. */
  Set<ObjectKey> keys();

  /** How many objects there are. */
  int size();

  /**
   * The objects that the index's function put under a value, in no order.
   *
   * @throws IllegalArgumentException if there is no such index, naming those that there are
   */
  List<CachedObject<T>> byIndex(String index, String value);

  /**
   * Adds an index, which is complete when this returns.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  void addIndex(String index, IndexFunction<T> function);
}
