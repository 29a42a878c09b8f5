// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provides access to the known objects of one type, by key or by index. Reads do not decode the
 * objects, so they also return objects that cannot be decoded.
 *
 * <p>All methods can be called from any thread, and reads never block. Each object is updated
 * atomically: a read returns the object as it was either before or after the update. If one read
 * completes before another begins, the second read never returns an earlier state of an object than
 * the first.
 *
 * <p>A list is not an atomic snapshot, because objects can change while the list is collected. The
 * list contains each key at most once. It contains every object that meets all requirements
 * throughout the call. Each object in the list was current and met all requirements at some time
 * during the call.
 *
 * <p>Returned lists and sets are copies that the caller can modify.
 *
 * @param <T> the Java class of the objects
 */
public interface Indexer<T> {

  /** The name of the index by namespace, which every indexer has. */
  String BY_NAMESPACE = "namespace";

  /** Returns the object with the given key, or empty if there is none. */
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

  /** Returns the number of objects. The result may not reflect a change that is in progress. */
  int size();

  /**
   * Returns the sum of {@link CachedObject#sizeInBytes()} over all objects. The result may not
   * reflect a change that is in progress.
   */
  long bytes();

  /**
   * Returns the objects that have the given value in the given index. The order is unspecified.
   *
   * @throws IllegalArgumentException if the index does not exist; the message lists the existing
   *     indices
   */
  List<CachedObject<T>> byIndex(String index, String value);

  /**
   * Returns all values in the given index. The order is unspecified. While an object is being
   * updated, the result can contain both the old and the new values of the object.
   *
   * @throws IllegalArgumentException if the index does not exist; the message lists the existing
   *     indices
   */
  Set<String> indexValues(String index);

  /**
   * Adds an index and fills it with the existing objects. The index cannot be read before this
   * method returns. Objects can be stored and removed during the call. The duration of the call is
   * proportional to the number of objects.
   *
   * <p>All users of an informer share its indices. Adding the same function again under the same
   * name has no effect. A lambda expression can produce a new instance each time it is evaluated,
   * so store the function in a constant.
   *
   * @throws IllegalArgumentException if the name is bound to a different function; the message
   *     contains the name
   */
  void addIndex(String index, IndexFunction<T> function);

  /** Returns the number of failed calls to index functions; see {@link IndexFunction}. */
  long indexFailures();
}
