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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One index of a store, which consists of its function and the objects for each value.
 *
 * <p>The objects filed under a value are only candidates. They include all objects whose state in
 * the store has the value. During an update, they can include further objects, so {@link
 * ConcurrentStore} compares the candidates with the content of the store.
 *
 * <p>Callers must ensure that only one writer at a time calls {@link #file}, {@link #unfileOthers}
 * and {@link #unfileAll}. All other methods can be called from any thread and never wait.
 */
final class Index<T> {

  private static final Logger log = LoggerFactory.getLogger(Indexer.class);

  private final String name;
  private final IndexFunction<T> function;

  /**
   * The objects of each value. Empty tables are removed, because the tables of values that are no
   * longer in use would otherwise accumulate.
   */
  private final ConcurrentHashMap<String, ObjectTable<T>> filed = new ConcurrentHashMap<>();

  /**
   * The values under which each key is filed. They are stored so that entries are not lost if the
   * function later returns different values. The map is null if the key determines the values,
   * which then do not have to be stored.
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

  /** Creates an index with a user-defined function. */
  static <T> Index<T> of(String name, IndexFunction<T> function) {
    return new Index<>(name, function, new HashMap<>());
  }

  /** Creates the index by namespace, which takes only one slot for each object. */
  static <T> Index<T> byNamespace() {
    Index<T> index =
        new Index<>(Indexer.BY_NAMESPACE, object -> Set.of(object.key().namespace()), null);
    index.complete();
    return index;
  }

  /**
   * Returns the complete index with a name. Rejects unknown names with a message that lists the
   * existing names.
   */
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
        "no index '" + name + "'; there are " + names + ". Add it with addIndex.");
  }

  /**
   * Returns the index with the given name and function, even if the index is incomplete, or null if
   * there is no index with this name. Rejects a name that is bound to a different function, even if
   * both functions are equivalent.
   */
  static <T> @Nullable Index<T> same(
      List<Index<T>> indices, String name, IndexFunction<T> function) {
    for (Index<T> index : indices) {
      if (index.name.equals(name)) {
        if (index.function == function) {
          return index;
        }
        throw new IllegalArgumentException("the index '" + name + "' already exists");
      }
    }
    return null;
  }

  /** Returns whether all objects have been filed, so that reads can use the index. */
  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  /** Returns the number of times that the function failed. */
  long failures() {
    return failures.get();
  }

  /** Returns the values that have objects. */
  Set<String> values() {
    return Set.copyOf(filed.keySet());
  }

  /** Returns the objects filed under a value, or null if there are none. */
  @Nullable ObjectTable<T> filedUnder(String value) {
    return filed.get(value);
  }

  /**
   * Returns the values that the function returns for a state, or an empty set if the function
   * fails.
   */
  Set<String> valuesOf(CachedObject<T> object) {
    try {
      Collection<String> values = function.valuesOf(object);
      if (values == null) {
        throw new ReturnedNullException("null");
      }
      if (values.stream().anyMatch(Objects::isNull)) {
        throw new ReturnedNullException("a null value");
      }
      return Set.copyOf(values);
    } catch (Exception | Error e) { // an exception must not affect other objects
      failures.incrementAndGet();
      if (warned.compareAndSet(false, true)) {
        log.warn(
            "The function of the index '{}' failed on {}: it {}. Lookups in this index do not find"
                + " the object, unless the function succeeds on a later version of it; reads by key"
                + " and other indices do. Correct the function: for an object without a value, it"
                + " must return an empty list. Further failures of this index are logged at the"
                + " debug level",
            name,
            object,
            what(e),
            withoutContent(e));
      } else {
        log.debug(
            "The function of the index '{}' failed on {}: it {}",
            name,
            object,
            what(e),
            withoutContent(e));
      }
      return Set.of();
    }
  }

  /**
   * Returns whether a state has a value, by calling the function. The store calls this method when
   * it reads an object that is being updated, and when it compares a given state with a query.
   */
  boolean says(CachedObject<T> object, String value) {
    try {
      return function.valuesOf(object).contains(value);
    } catch (Exception | Error e) { // counted and logged when the state was stored
      return false;
    }
  }

  /** Files a state under its values and replaces an older state of the same key. */
  void file(CachedObject<T> object, Set<String> values) {
    for (String value : values) {
      ObjectTable<T> objects = filed.get(value); // get() is cheaper, and nearly always sufficient
      if (objects == null) {
        objects = filed.computeIfAbsent(value, v -> new ObjectTable<>());
      }
      objects.put(object);
    }
  }

  /**
   * Removes the entries of a key under all values except the given values, which are the key's
   * current values.
   */
  void unfileOthers(ObjectKey key, Set<String> values) {
    if (memory == null) {
      return; // the key determines the values, which never change
    }
    Set<String> past = values.isEmpty() ? memory.remove(key) : memory.put(key, values);
    if (past != null) {
      past.stream().filter(value -> !values.contains(value)).forEach(value -> unfile(key, value));
    }
  }

  /** Removes the entries of a state that was removed from the store. */
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

  /**
   * Returns the type and stack trace of an exception without its message, because an exception from
   * user code can quote the object, which may be secret.
   */
  private static Throwable withoutContent(Throwable thrown) {
    if (thrown instanceof UndecodableException || thrown instanceof ReturnedNullException) {
      return thrown;
    }
    Throwable stripped = new IllegalStateException(thrown.getClass().getName());
    stripped.setStackTrace(thrown.getStackTrace());
    return stripped;
  }

  /** Returns a description of the failure, without the object's content. */
  private static String what(Throwable thrown) {
    if (thrown instanceof ReturnedNullException returned) {
      return String.valueOf(returned.getMessage());
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    return "threw " + thrown.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  /** Thrown if a user-defined function returned null, or a null value. */
  private static final class ReturnedNullException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ReturnedNullException(String what) {
      super("returned " + what);
    }
  }
}
