// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store: a concurrent map of states, and per index a concurrent map from value to keys.
 *
 * <p>Readers take no lock. The writer keeps two rules for them. A state is put before its key is
 * filed under a value, and unfiled before it is taken out; and on an update the new values are
 * filed before the old ones are unfiled. So a key under a value always leads to a state, though for
 * an instant to one that no longer has the value; {@link #byIndex} may then show the object once
 * too often, never once too few.
 */
final class ConcurrentStore<T> implements Store<T> {

  private static final Logger log = LoggerFactory.getLogger(Indexer.class);

  private record Index<T>(
      IndexFunction<T> function, ConcurrentHashMap<String, Set<ObjectKey>> keys) {}

  private final ConcurrentHashMap<ObjectKey, CachedObject<T>> states = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Index<T>> indices = new ConcurrentHashMap<>();

  /** Held by writers and while an index is added, so that a new index misses no write. */
  private final Object writing = new Object();

  ConcurrentStore() {
    addIndex(BY_NAMESPACE, object -> List.of(object.key().namespace()));
  }

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    return Optional.ofNullable(states.get(key));
  }

  @Override
  public List<CachedObject<T>> list() {
    return new ArrayList<>(states.values());
  }

  @Override
  public Set<ObjectKey> keys() {
    return Set.copyOf(states.keySet());
  }

  @Override
  public int size() {
    return states.size();
  }

  @Override
  public List<CachedObject<T>> byIndex(String name, String value) {
    Index<T> index = indices.get(name);
    if (index == null) {
      throw new IllegalArgumentException(
          "no index '" + name + "'; there are " + indices.keySet() + ". Add it with addIndex");
    }
    List<CachedObject<T>> found = new ArrayList<>();
    for (ObjectKey key : index.keys().getOrDefault(value, Set.of())) {
      get(key).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public void addIndex(String name, IndexFunction<T> function) {
    synchronized (writing) {
      Index<T> index = new Index<>(function, new ConcurrentHashMap<>());
      for (CachedObject<T> object : states.values()) {
        file(index, object.key(), valuesOf(name, index, object));
      }
      if (indices.putIfAbsent(name, index) != null) {
        throw new IllegalArgumentException("there is an index '" + name + "' already");
      }
    }
  }

  @Override
  public Optional<CachedObject<T>> put(CachedObject<T> object) {
    synchronized (writing) {
      CachedObject<T> old = states.put(object.key(), object);
      indices.forEach(
          (name, index) -> {
            Collection<String> now = valuesOf(name, index, object);
            file(index, object.key(), now);
            if (old != null) {
              Set<String> past = new HashSet<>(valuesOf(name, index, old));
              past.removeAll(now);
              unfile(index, object.key(), past);
            }
          });
      return Optional.ofNullable(old);
    }
  }

  @Override
  public Optional<CachedObject<T>> remove(ObjectKey key) {
    synchronized (writing) {
      CachedObject<T> old = states.get(key);
      if (old == null) {
        return Optional.empty();
      }
      indices.forEach((name, index) -> unfile(index, key, valuesOf(name, index, old)));
      states.remove(key);
      return Optional.of(old);
    }
  }

  @GuardedBy("writing")
  private void file(Index<T> index, ObjectKey key, Collection<String> values) {
    for (String value : values) {
      index.keys().computeIfAbsent(value, v -> ConcurrentHashMap.newKeySet(4)).add(key);
    }
  }

  @GuardedBy("writing")
  private void unfile(Index<T> index, ObjectKey key, Collection<String> values) {
    for (String value : values) {
      // An empty set is dropped, or values that come and go would leak.
      Map<String, Set<ObjectKey>> keys = index.keys();
      keys.computeIfPresent(
          value,
          (v, set) -> {
            set.remove(key);
            return set.isEmpty() ? null : set;
          });
    }
  }

  /** What the function says; an object that it can't handle is in no value of that index. */
  private Collection<String> valuesOf(String name, Index<T> index, CachedObject<T> object) {
    try {
      return List.copyOf(index.function().valuesOf(object));
    } catch (Exception | Error e) { // whatever it is, other objects must not suffer
      log.warn("The index '{}' can't take {}; it is found by key only", name, object, e);
      return List.of();
    }
  }
}
