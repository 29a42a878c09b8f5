// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One index of a store: its function, and under each value the objects that have it.
 *
 * <p>What is filed here is no answer yet. Under each value there are at least those objects whose
 * state in the store has the value; in the instant of an update there is more, and {@link
 * ConcurrentStore} compares what it finds here with what the store holds.
 *
 * <p>{@link #file}, {@link #unfileOthers} and {@link #unfileAll} belong to one writer at a time.
 * All else may be called from any thread and never waits.
 */
final class Index<T> {

  private static final Logger log = LoggerFactory.getLogger(Indexer.class);

  private final String name;
  private final IndexFunction<T> function;

  /** Never with an empty table, but for an instant: values that come and go would leak. */
  private final ConcurrentHashMap<String, ObjectTable<T>> filed = new ConcurrentHashMap<>();

  /**
   * Under which values each key is filed, if any. A function that would say something else the next
   * time can't make us lose track. Null if that need not be remembered, because the key tells it.
   */
  private final @Nullable Map<ObjectKey, Set<String>> memory;

  private final AtomicLong failures = new AtomicLong();
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile boolean complete;

  private Index(
      String name, IndexFunction<T> function, @Nullable Map<ObjectKey, Set<String>> memory) {
    this.name = name;
    this.function = function;
    this.memory = memory;
  }

  /** An index by a function of the user. */
  static <T> Index<T> of(String name, IndexFunction<T> function) {
    return new Index<>(name, function, new HashMap<>());
  }

  /** The index by namespace, which costs a slot per object and nothing else. */
  static <T> Index<T> byNamespace() {
    Index<T> index =
        new Index<>(Indexer.BY_NAMESPACE, object -> Set.of(object.key().namespace()), null);
    index.complete();
    return index;
  }

  /** The complete one of a name; refuses others, and names those that there are. */
  static <T> Index<T> named(List<Index<T>> indices, String name) {
    List<String> names = new ArrayList<>();
    for (Index<T> index : indices) {
      if (index.complete) {
        if (index.name.equals(name)) {
          return index;
        }
        names.add(index.name);
      }
    }
    throw new IllegalArgumentException(
        "no index '" + name + "'; there are " + names + ". Add it with addIndex");
  }

  /**
   * The one of a name and a function, complete or not; null if there is none. Refuses a name that
   * another function has, and be it one that says the same.
   */
  static <T> @Nullable Index<T> same(
      List<Index<T>> indices, String name, IndexFunction<T> function) {
    for (Index<T> index : indices) {
      if (index.name.equals(name)) {
        if (index.function == function) {
          return index;
        }
        throw new IllegalArgumentException("there is an index '" + name + "' already");
      }
    }
    return null;
  }

  /** Whether all objects are filed, so that reads may use it. */
  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  /** How often the function failed. */
  long failures() {
    return failures.get();
  }

  /** The values under which there are objects. */
  Set<String> values() {
    return Set.copyOf(filed.keySet());
  }

  /** What is filed under a value; null if nothing is. */
  @Nullable ObjectTable<T> filedUnder(String value) {
    return filed.get(value);
  }

  /** What the function says of a state; nothing if it fails. */
  Set<String> valuesOf(CachedObject<T> object) {
    try {
      Collection<String> values = function.valuesOf(object);
      if (values == null) {
        throw new ReturnedNullException(name);
      }
      return Set.copyOf(values);
    } catch (Exception | Error e) { // whatever it is, other objects must not suffer
      failures.incrementAndGet();
      if (warned.compareAndSet(false, true)) {
        log.warn(
            "The index '{}' can't take {}: it is found by key and in other indices only. Further"
                + " failures of this index are logged at the debug level",
            name,
            object,
            withoutContent(e));
      } else {
        log.debug("The index '{}' can't take {}", name, object, withoutContent(e));
      }
      return Set.of();
    }
  }

  /** Whether a state has a value, for the few reads for which what is filed does not tell. */
  boolean says(CachedObject<T> object, String value) {
    try {
      return function.valuesOf(object).contains(value);
    } catch (Exception | Error e) { // counted and logged when the state was put
      return false;
    }
  }

  /** Files a state under its values, in place of an older one of its key. */
  void file(CachedObject<T> object, Set<String> values) {
    for (String value : values) {
      ObjectTable<T> objects = filed.get(value); // nearly always there, and cheaper to find so
      if (objects == null) {
        objects = filed.computeIfAbsent(value, v -> new ObjectTable<>());
      }
      objects.put(object);
    }
  }

  /** Takes a key out from under all values but these, which are the ones that it has now. */
  void unfileOthers(ObjectKey key, Set<String> values) {
    if (memory == null) {
      return; // the values are those of the key, and never change
    }
    Set<String> past = values.isEmpty() ? memory.remove(key) : memory.put(key, values);
    if (past != null) {
      past.stream().filter(value -> !values.contains(value)).forEach(value -> unfile(key, value));
    }
  }

  /** Takes out a state that was removed from the store. */
  void unfileAll(CachedObject<T> object) {
    if (memory == null) {
      valuesOf(object).forEach(value -> unfile(object.key(), value));
    } else {
      unfileOthers(object.key(), Set.of());
    }
  }

  private void unfile(ObjectKey key, String value) {
    ObjectTable<T> objects = filed.get(value);
    if (objects != null) {
      objects.remove(key);
      if (objects.size() == 0) {
        filed.remove(value);
      }
    }
  }

  /** What users' code threw may quote the object, which may be secret: keeps its type and place. */
  private static Throwable withoutContent(Throwable thrown) {
    if (thrown instanceof UndecodableException || thrown instanceof ReturnedNullException) {
      return thrown;
    }
    Throwable stripped = new IllegalStateException(thrown.getClass().getName());
    stripped.setStackTrace(thrown.getStackTrace());
    return stripped;
  }

  /** A user's function has returned null; the message quotes nothing of the object. */
  private static final class ReturnedNullException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ReturnedNullException(String index) {
      super(
          "the function of the index '"
              + index
              + "' returned null; it must return the values of the object, or an empty list");
    }
  }
}
