// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of one type that are known to exist, found by key or by index. No method decodes an
 * object, so those that do not fit their class are found like any other.
 *
 * <p>All methods may be called from any thread, and reads never wait. An update of an object is one
 * step: each read sees it before or after that, never without the object, and a read that began
 * after another one had ended never sees an older state of an object than that did. A list, though,
 * is not one step: objects may change while it goes over them. Each state in it was the current one
 * and met all requirements at some time during the call; each key is in it at most once; and an
 * object that met the requirements throughout the call is in it.
 *
 * <p>Lists and sets are copies, which belong to the caller.
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

  /**
   * The objects that meet all requirements of a query, in no order.
   *
   * @throws IllegalArgumentException if it names an index that is not there, naming those that are
   */
  List<CachedObject<T>> list(Query query);

  /** The keys of all objects, in no order. */
  Set<ObjectKey> keys();

  /** How many objects there are; a change that is just being made may not be counted yet. */
  int size();

  /**
   * How many bytes the objects take: the sum of {@link CachedObject#sizeInBytes()}. A change that
   * is just being made may not be counted yet.
   */
  long bytes();

  /**
   * The objects that the index's function put under a value, in no order.
   *
   * @throws IllegalArgumentException if there is no such index, naming those that there are
   */
  List<CachedObject<T>> byIndex(String index, String value);

  /**
   * The values of an index under which there are objects, in no order. While an object is being
   * updated, both its new values and its old ones may be among them.
   *
   * @throws IllegalArgumentException if there is no such index, naming those that there are
   */
  Set<String> indexValues(String index);

  /**
   * Adds an index, which is complete when this returns and not to be read before. Objects may come
   * and go meanwhile. It takes time in proportion to the number of objects.
   *
   * <p>Who shares an informer shares its indices: to add the same function under the same name once
   * more does nothing. A lambda may be another one each time, so keep it in a constant.
   *
   * @throws IllegalArgumentException if the name is taken by another function, naming it
   */
  void addIndex(String index, IndexFunction<T> function);

  /**
   * How often the function of an index failed on a state, since the start and over all indices; see
   * {@link IndexFunction}.
   */
  long indexFailures();
}
