// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed objects from an {@link Indexer}. Each read decodes the objects again and returns new
 * instances, which the caller can modify.
 *
 * <p>An object that cannot be decoded into its class does not affect reads of other objects. For
 * such an object, {@link #get} throws an exception. Lists omit the object, and {@link
 * #undecodable()} counts each omission. The lister logs one warning for each version of an object
 * that it omits. It remembers up to 1,000 versions to avoid repeated warnings, and logs further
 * omissions at the debug level. Use only one lister for each informer, because a second lister
 * would repeat the warnings.
 *
 * <p>All methods can be called from any thread. Lists reflect concurrent changes as described in
 * {@link Indexer}.
 *
 * @param <T> the Java class of the objects
 */
public final class Lister<T> {

  private final Indexer<T> indexer;
  private final AtomicLong omissions = new AtomicLong();

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

  /** Returns all objects. The order is unspecified. */
  public List<T> list() {
    return decode(indexer.list());
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
    return decode(indexer.list(query));
  }

  /**
   * Returns the objects that the given filter accepts. The order is unspecified. The lister calls
   * the filter for every object, and decodes only the objects that the filter accepts.
   */
  public List<T> list(Predicate<CachedObject<T>> filter) {
    return decode(indexer.list().stream().filter(filter).toList());
  }

  /** Returns a lister that reads only the objects in the given namespace. */
  public NamespaceLister<T> inNamespace(String namespace) {
    return new NamespaceLister<>(this, namespace);
  }

  /**
   * Returns the number of times that a list has omitted an object because it could not be decoded.
   * If several lists omit the same object, each omission is counted.
   */
  public long undecodable() {
    return omissions.get();
  }

  /**
   * Returns the same objects as {@link #list(Query)}, decoded with the given codec. The codec must
   * be for the same resource type.
   */
  public <S> List<S> list(Query query, ObjectCodec<S> as) {
    return decode(indexer.list(query), as);
  }

  private List<T> decode(List<CachedObject<T>> objects) {
    return decode(objects, null);
  }

  @SuppressWarnings("unchecked") // without another codec, S is T
  private <S> List<S> decode(List<CachedObject<T>> objects, @Nullable ObjectCodec<S> as) {
    List<S> decoded = new ArrayList<>(objects.size());
    for (CachedObject<T> object : objects) {
      try {
        decoded.add(as == null ? (S) object.decode() : object.as(as).decode());
      } catch (UndecodableException e) {
        omissions.incrementAndGet();
        UndecodableException.Log.omitted(object, e);
      }
    }
    return decoded;
  }
}
