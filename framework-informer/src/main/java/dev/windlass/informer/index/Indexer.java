// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provides access, by key or by index, to the objects of one type that are known to exist. The
 * methods never decode an object, so they also find objects that cannot be decoded.
 *
 * <p>All methods can be called from any thread, and reads never wait. An update of an object is
 * atomic: each read sees the state before or after the update, and an existing object is never
 * missing. A read that begins after another read has completed never sees an older state of an
 * object. A list is not atomic, because objects can change while it is collected. Each state in the
 * list was current and met all requirements at some time during the call. The list contains each
 * key at most once. It contains every object that met the requirements throughout the call.
 *
 * <p>Returned lists and sets are copies, which the caller can modify.
 *
 * @param <T> the Java class of the objects
 */
public interface Indexer<T> {

  /** The name of the index by namespace, which every indexer has. */
  String BY_NAMESPACE = "namespace";

  /** Returns the object with this key, if there is one. */
  Optional<CachedObject<T>> get(ObjectKey key);

  /** Returns all objects. The order is unspecified. */
  List<CachedObject<T>> list();

  /**
   * Returns the objects that meet all requirements of the given query. The order is unspecified.
   *
   * @throws IllegalArgumentException if the query names an index that does not exist; the message
   *     lists the existing indices
   */
  List<CachedObject<T>> list(Query query);

  /** Returns the keys of all objects. The order is unspecified. */
  Set<ObjectKey> keys();

  /** Returns the number of objects. A change in progress may not be counted yet. */
  int size();

  /**
   * Returns the size of all objects in bytes, which is the sum of {@link
   * CachedObject#sizeInBytes()}. A change in progress may not be counted yet.
   */
  long bytes();

  /**
   * Returns the objects to which the index function assigns the given value. The order is
   * unspecified.
   *
   * @throws IllegalArgumentException if the index does not exist; the message lists the existing
   *     indices
   */
  List<CachedObject<T>> byIndex(String index, String value);

  /**
   * Returns the values that the given index assigns to at least one object. The order is
   * unspecified. While an object is being updated, the set can contain both its old and its new
   * values.
   *
   * @throws IllegalArgumentException if the index does not exist; the message lists the existing
   *     indices
   */
  Set<String> indexValues(String index);

  /**
   * Adds an index. The index is complete when this method returns, and cannot be read earlier.
   * Objects can be added and removed during the call. The duration of the call is proportional to
   * the number of objects.
   *
   * <p>All users of an informer share its indices. Adding the same function again with the same
   * name has no effect. A lambda can be a different instance each time, so store it in a constant.
   *
   * @throws IllegalArgumentException if the name is bound to a different function; the message
   *     contains the name
   */
  void addIndex(String index, IndexFunction<T> function);

  /**
   * Returns the number of times that index functions have failed so far; see {@link IndexFunction}.
   */
  long indexFailures();
}
