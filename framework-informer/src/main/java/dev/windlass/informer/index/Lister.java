// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.UndecodableException;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads typed objects from an {@link Indexer}. Each read decodes the objects again and returns new
 * instances, which the caller can modify.
 *
 * <p>If an object cannot be decoded into its class, {@link #get} of this object and every list that
 * selects it throw an exception that names the object and the field. {@link #listReadable} returns
 * the other objects. An {@link Indexer} returns all objects, with their metadata.
 *
 * <p>All methods can be called from any thread. Lists reflect concurrent changes as described in
 * {@link Indexer}.
 *
 * @param <T> the Java class of the objects
 */
public final class Lister<T> {

  private final Indexer<T> indexer;

  /** Creates a lister that reads from the given indexer. */
  public Lister(Indexer<T> indexer) {
    this.indexer = indexer;
  }

  /**
   * Returns the object with the given key, or empty if there is none.
   *
   * @throws UndecodableException if the object cannot be decoded into its class
   */
  public Optional<T> get(ObjectKey key) {
    return indexer.get(key).map(CachedObject::decode);
  }

  /**
   * Returns all objects. The order is unspecified.
   *
   * @throws UndecodableException if one of the selected objects cannot be decoded into its class.
   *     This applies to all lists
   */
  public List<T> list() {
    return decode(indexer.list()).all();
  }

  /**
   * Returns the objects in the given namespace. An empty string means all namespaces. The order is
   * unspecified.
   */
  public List<T> list(String namespace) {
    return list(Query.ALL.inNamespace(namespace));
  }

  /**
   * Returns the objects in the given namespace whose labels match the given selector. An empty
   * string means all namespaces. The order is unspecified.
   */
  public List<T> list(String namespace, Selector labels) {
    return list(Query.ALL.inNamespace(namespace).withLabels(labels));
  }

  /**
   * Returns the objects that meet all requirements of the given query. The order is unspecified.
   *
   * @throws IllegalArgumentException if the query names an index that does not exist; the message
   *     lists the existing indices
   */
  public List<T> list(Query query) {
    return listReadable(query).all();
  }

  /**
   * Returns the objects that the given filter accepts. The order is unspecified. The lister calls
   * the filter for every object, and decodes only the objects that the filter accepts.
   */
  public List<T> list(Predicate<CachedObject<T>> filter) {
    return decode(indexer.list().stream().filter(filter).toList()).all();
  }

  /** Returns a lister that reads only the objects in the given namespace. */
  public NamespaceLister<T> inNamespace(String namespace) {
    return new NamespaceLister<>(this, namespace);
  }

  /**
   * Returns the objects that meet all requirements of the given query and can be decoded, and the
   * keys of those that cannot. The order is unspecified.
   */
  public ReadableObjects<T> listReadable(Query query) {
    return decode(indexer.list(query));
  }

  private static <T> ReadableObjects<T> decode(List<CachedObject<T>> objects) {
    return ReadableObjects.of(objects, CachedObject::decode);
  }
}
