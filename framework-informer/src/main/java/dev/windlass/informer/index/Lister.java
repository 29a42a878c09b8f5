// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Selector;
import dev.windlass.object.UndecodableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed objects out of an {@link Indexer}. Each read decodes afresh, so what it returns
 * belongs to the caller, who may change it.
 *
 * <p>An object that does not fit the class harms only those who ask for it: {@link #get} throws,
 * and lists are complete but for such objects. What lists leave out is counted in {@link
 * #undecodable()} and logged as a warning, once for each state of an object; when there are more
 * than 1,000 at a time, only the first are. The memory of that belongs to the lister: keep it, one
 * per informer is enough.
 *
 * <p>All methods may be called from any thread. Lists see changes as {@link Indexer} says.
 *
 * @param <T> the typed class of the objects
 */
public final class Lister<T> {

  private final Indexer<T> indexer;
  private final LeftOut<T> leftOut = new LeftOut<>();

  /** A lister over an indexer. */
  public Lister(Indexer<T> indexer) {
    this.indexer = indexer;
  }

  /**
   * The object under the key, if there is one.
   *
   * @throws UndecodableException if it does not fit the class
   */
  public Optional<T> get(ObjectKey key) {
    return indexer.get(key).map(CachedObject::decode);
  }

  /** All objects, in no order. */
  public List<T> list() {
    return decode(indexer.list());
  }

  /** The objects of a namespace, in no order; of all namespaces if it is empty. */
  public List<T> list(String namespace) {
    return list(Query.ALL.inNamespace(namespace));
  }

  /** The same, if their labels match. */
  public List<T> list(String namespace, Selector labels) {
    return list(Query.ALL.inNamespace(namespace).withLabels(labels));
  }

  /**
   * The objects that meet all requirements of a query, in no order.
   *
   * @throws IllegalArgumentException if it names an index that is not there, naming those that are
   */
  public List<T> list(Query query) {
    return decode(indexer.list(query));
  }

  /**
   * The objects that a filter lets through, in no order. It is asked about each object there is,
   * and what it drops is not decoded.
   */
  public List<T> list(Predicate<CachedObject<T>> filter) {
    return decode(indexer.list().stream().filter(filter).toList());
  }

  /** This lister, confined to a namespace, whether there is anything in that or not. */
  public NamespaceLister<T> inNamespace(String namespace) {
    return new NamespaceLister<>(this, namespace);
  }

  /**
   * How often a list left out an object because that does not fit the class: with each list by one
   * for each such object in it.
   */
  public long undecodable() {
    return leftOut.count();
  }

  /** As {@link #list(Query)}, for readers of another class of the same type. */
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
        leftOut.add(object, e);
      }
    }
    return decoded;
  }
}
