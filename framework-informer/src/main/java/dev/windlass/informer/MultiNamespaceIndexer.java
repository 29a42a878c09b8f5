// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Presents the caches of several namespaces as one cache. This class does not store objects itself.
 * A read by key uses the cache of the key's namespace. All other reads use every cache.
 *
 * <p>The cache of each namespace always has every index. Index functions are user code, so this
 * class does not hold its lock while they run. To add an index or a namespace, a thread first calls
 * the functions. It then takes the lock and checks whether namespaces or indices have changed since
 * it began. If they have changed, the thread starts again, but skips the work that it has already
 * done.
 *
 * <p>All methods can be called from any thread. Reads do not acquire a lock.
 */
final class MultiNamespaceIndexer<T> implements Indexer<T> {

  /**
   * A store that has all indices but no objects. It rejects reads of unknown indices, even if there
   * are no namespaces.
   */
  private final Store<T> empty = Store.create();

  /** The informer of each namespace. The map is immutable. Each change replaces the map. */
  private volatile SortedMap<String, SharedIndexInformer<T>> members = Collections.emptySortedMap();

  /**
   * The index functions, keyed by name. The map is immutable. Each change replaces the map under
   * the lock.
   */
  private volatile Map<String, IndexFunction<T>> functions = Map.of();

  private final Object writing = new Object();

  /** Returns the informer of each namespace. The namespaces are in alphabetical order. */
  SortedMap<String, SharedIndexInformer<T>> members() {
    return members;
  }

  /**
   * Adds all current indices to the given indexer. Returns these indices, which the caller must
   * pass to {@link #join}.
   */
  Map<String, IndexFunction<T>> prepare(Indexer<T> added) {
    Map<String, IndexFunction<T>> known = functions;
    known.forEach(added::addIndex);
    return known;
  }

  /**
   * Adds a namespace.
   *
   * @param prepared the result of {@link #prepare}
   * @return false if an index has been added since {@link #prepare} was called; the caller must
   *     then call {@link #prepare} again
   */
  boolean join(
      String namespace, SharedIndexInformer<T> informer, Map<String, IndexFunction<T>> prepared) {
    synchronized (writing) {
      if (functions != prepared) {
        return false;
      }
      SortedMap<String, SharedIndexInformer<T>> more = new TreeMap<>(members);
      more.put(namespace, informer);
      members = Collections.unmodifiableSortedMap(more);
      return true;
    }
  }

  void leave(String namespace) {
    synchronized (writing) {
      SortedMap<String, SharedIndexInformer<T>> fewer = new TreeMap<>(members);
      fewer.remove(namespace);
      members = Collections.unmodifiableSortedMap(fewer);
    }
  }

  @Override
  public void addIndex(String index, IndexFunction<T> function) {
    while (true) {
      SortedMap<String, SharedIndexInformer<T>> asked = members;
      asked.values().forEach(informer -> informer.indexer().addIndex(index, function));
      synchronized (writing) {
        if (members == asked) {
          declare(index, function);
          return;
        }
      }
    }
  }

  @GuardedBy("writing")
  private void declare(String index, IndexFunction<T> function) {
    // The empty store rejects names that are already bound. It contains no objects, so it does not
    // call the function.
    empty.addIndex(index, function);
    Map<String, IndexFunction<T>> more = new LinkedHashMap<>(functions);
    more.put(index, function);
    functions = Collections.unmodifiableMap(more);
  }

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    @Nullable SharedIndexInformer<T> informer = members.get(key.namespace());
    return informer == null ? Optional.empty() : informer.indexer().get(key);
  }

  @Override
  public List<CachedObject<T>> list() {
    return collect(new ArrayList<>(size()), Indexer::list);
  }

  @Override
  public List<CachedObject<T>> list(Query query) {
    return collect(empty.list(query), indexer -> indexer.list(query));
  }

  @Override
  public List<CachedObject<T>> byIndex(String index, String value) {
    return list(Query.ALL.withIndex(index, value));
  }

  @Override
  public Set<ObjectKey> keys() {
    return collect(new HashSet<>(), Indexer::keys);
  }

  @Override
  public Set<String> indexValues(String index) {
    Set<String> none = empty.indexValues(index);
    return collect(new HashSet<>(none), indexer -> indexer.indexValues(index));
  }

  private <E, C extends Collection<E>> C collect(
      C all, Function<Indexer<T>, ? extends Collection<E>> read) {
    members.values().forEach(informer -> all.addAll(read.apply(informer.indexer())));
    return all;
  }

  @Override
  public int size() {
    return members.values().stream().mapToInt(informer -> informer.indexer().size()).sum();
  }

  @Override
  public long bytes() {
    return members.values().stream().mapToLong(informer -> informer.indexer().bytes()).sum();
  }

  @Override
  public long indexFailures() {
    return members.values().stream()
        .mapToLong(informer -> informer.indexer().indexFailures())
        .sum();
  }
}
