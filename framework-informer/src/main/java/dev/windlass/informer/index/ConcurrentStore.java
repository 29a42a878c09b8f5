// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.index.Store.Observer;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects in a table by key, and in indices that refer to the table. The table alone
 * determines which objects exist.
 *
 * <p><em>Writing.</em> The writer first calls the index functions without a lock. It then takes the
 * lock and performs three actions. First, it files the new object in each index under the values
 * that the index function returned. Second, it puts the object in the table. From this point,
 * readers see the new object. Third, it removes the index entries for values that the object no
 * longer has. To delete an object, the writer removes it from the table first. At all times, an
 * object in the table is therefore filed under each of its values.
 *
 * <p><em>Reading.</em> A read by index considers all objects that are filed under a value. For each
 * of them, it looks up the object with the same key in the table. Usually, both are the same
 * instance, so the object in the table is known to have the value. If they are different, the
 * object is being updated. The read then calls the index function to determine whether the object
 * in the table has the value. A read returns only objects that are in the table, so it agrees with
 * {@link #get}. Readers do not acquire a lock.
 */
final class ConcurrentStore<T> implements Store<T> {

  /** A requirement of a query, and the objects that are filed under the required value. */
  private record Filed<T>(Index<T> index, String value, ObjectTable<T> objects) {

    boolean has(CachedObject<T> object) {
      return says(object, objects.get(object.key()));
    }

    /**
     * Returns whether an object in the table has the value.
     *
     * @param filed the object that is filed under the value with the same key; null if there is
     *     none
     */
    boolean says(CachedObject<T> object, @Nullable CachedObject<T> filed) {
      return filed == object || (filed != null && index.says(object, value));
    }
  }

  private final ObjectTable<T> objects = new ObjectTable<>();

  /**
   * The indices. The list is immutable. Each change replaces the list. Objects are filed in
   * incomplete indices, but reads do not use them.
   */
  private volatile List<Index<T>> indices = List.of(Index.byNamespace());

  private volatile long bytes;

  private final Object writing = new Object();

  private volatile @Nullable Observer<T> observer;

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  @Override
  public List<CachedObject<T>> list() {
    return objects.list();
  }

  @Override
  public Set<ObjectKey> keys() {
    Set<ObjectKey> keys = new HashSet<>();
    objects.forEach(object -> keys.add(object.key()));
    return keys;
  }

  @Override
  public int size() {
    return objects.size();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public List<CachedObject<T>> byIndex(String name, String value) {
    return list(Query.ALL.withIndex(name, value));
  }

  @Override
  public Set<String> indexValues(String name) {
    return Index.named(indices, name).values();
  }

  @Override
  public long indexFailures() {
    return indices.stream().mapToLong(Index::failures).sum();
  }

  @Override
  public List<CachedObject<T>> list(Query query) {
    List<Filed<T>> required = new ArrayList<>();
    boolean isEmpty = false;
    for (Query.IndexValue wanted : query.indexValues()) {
      Index<T> index = Index.named(indices, wanted.index());
      ObjectTable<T> filed = index.filedUnder(wanted.value());
      if (filed == null) {
        isEmpty = true; // the loop continues to check the other index names
      } else {
        required.add(new Filed<>(index, wanted.value(), filed));
      }
    }
    List<CachedObject<T>> found = new ArrayList<>();
    if (isEmpty) {
      return found;
    }
    Selector labels = query.labels();
    if (required.isEmpty()) {
      objects.forEach(
          object -> {
            if (labels.matches(object.labels())) {
              found.add(object);
            }
          });
      return found;
    }
    // The requirements are not sorted, because sizes can change during the sort.
    Filed<T> smallest =
        Collections.min(required, Comparator.comparingInt(filed -> filed.objects().size()));
    required.remove(smallest);
    smallest
        .objects()
        .forEach(
            candidate -> {
              CachedObject<T> object = objects.get(candidate.key());
              if (object != null
                  && smallest.says(object, candidate)
                  && required.stream().allMatch(filed -> filed.has(object))
                  && labels.matches(object.labels())) {
                found.add(object);
              }
            });
    return found;
  }

  @Override
  public boolean matches(CachedObject<T> object, Query query) {
    for (Query.IndexValue wanted : query.indexValues()) {
      if (!Index.named(indices, wanted.index()).says(object, wanted.value())) {
        return false;
      }
    }
    return query.labels().matches(object.labels());
  }

  @Override
  public void addIndex(String name, IndexFunction<T> function) {
    Index<T> added;
    synchronized (writing) {
      Index<T> known = Index.same(indices, name, function);
      added = known == null ? Index.of(name, function) : known;
      if (known == null) {
        indices = Stream.concat(indices.stream(), Stream.of(added)).toList();
      }
    }
    if (added.isComplete()) {
      return;
    }
    // From now on, put() files states in the new index as well. Existing states are filed here.
    for (CachedObject<T> object : objects.list()) {
      Set<String> values = added.valuesOf(object);
      synchronized (writing) {
        if (objects.get(object.key()) == object) {
          added.file(object, values);
          added.unfileOthers(object.key(), values);
        }
      }
    }
    added.complete();
  }

  @Override
  public void observe(Observer<T> other) {
    observer = other;
  }

  @Override
  public void listed(long version) {
    Observer<T> current = observer;
    if (current != null) {
      current.listed(version);
    }
  }

  @Override
  public Optional<CachedObject<T>> put(CachedObject<T> object) {
    CachedObject<T> before = replace(object);
    Observer<T> current = observer;
    if (current != null) {
      current.stored(object, before);
    }
    return Optional.ofNullable(before);
  }

  private @Nullable CachedObject<T> replace(CachedObject<T> object) {
    while (true) {
      List<Index<T>> asked = indices;
      List<Set<String>> values = new ArrayList<>(asked.size()); // a stream would be slower
      for (Index<T> index : asked) {
        values.add(index.valuesOf(object));
      }
      synchronized (writing) {
        // An index that was added in the meantime has not found this object in the table.
        if (asked == indices) {
          return replace(object, asked, values);
        }
      }
    }
  }

  @GuardedBy("writing")
  private @Nullable CachedObject<T> replace(
      CachedObject<T> object, List<Index<T>> asked, List<Set<String>> values) {
    for (int i = 0; i < asked.size(); i++) {
      asked.get(i).file(object, values.get(i));
    }
    CachedObject<T> old = objects.put(object);
    for (int i = 0; i < asked.size(); i++) {
      asked.get(i).unfileOthers(object.key(), values.get(i));
    }
    long without = bytes - (old == null ? 0 : old.sizeInBytes());
    bytes = without + object.sizeInBytes();
    return old;
  }

  @Override
  public Optional<CachedObject<T>> remove(ObjectKey key) {
    CachedObject<T> old;
    synchronized (writing) {
      old = objects.remove(key);
      if (old == null) {
        return Optional.empty();
      }
      for (Index<T> index : indices) {
        index.unfileAll(old);
      }
      bytes -= old.sizeInBytes();
    }
    Observer<T> current = observer;
    if (current != null) {
      current.removed(old);
    }
    return Optional.of(old);
  }
}
