// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import dev.windlass.scheduling.FatalErrors;
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
 * An index of a store. It consists of an index function, and of the objects that are filed under
 * each value.
 *
 * <p>The objects that are filed under a value are only candidates. They include every object in the
 * store that has the value. While an object is being updated, they can include further objects.
 * {@link ConcurrentStore} therefore compares the candidates with the objects in the store.
 *
 * <p>Callers must ensure that only one thread at a time calls {@link #file}, {@link #unfileOthers}
 * and {@link #unfileAll}. All other methods can be called from any thread and never block.
 */
final class Index<T> {

  private static final Logger log = LoggerFactory.getLogger(Indexer.class);

  private final String name;
  private final IndexFunction<T> function;

  /**
   * The objects that are filed under each value. A table is removed when it is empty. Otherwise,
   * tables for values that are no longer used would accumulate.
   */
  private final ConcurrentHashMap<String, ObjectTable<T>> filed = new ConcurrentHashMap<>();

  /**
   * The values under which each key is filed. Without this record, entries could not be removed if
   * the function later returned different values for the same object. The map is null if the key
   * determines the values, because they cannot change.
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

  /** Creates the index by namespace. For each object, it needs only a slot in a table. */
  static <T> Index<T> byNamespace() {
    Index<T> index =
        new Index<>(Indexer.BY_NAMESPACE, object -> Set.of(object.key().namespace()), null);
    index.complete();
    return index;
  }

  /**
   * Returns the index with the given name. Incomplete indices are ignored. Rejects unknown names
   * with a message that lists the existing names.
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
   * Returns the index with the given name, or null if there is none. Incomplete indices are
   * included. Rejects a name that is used with a different function object, even if both functions
   * are equivalent.
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

  /** Returns whether all existing objects have been filed. If so, reads can use the index. */
  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  long failures() {
    return failures.get();
  }

  Set<String> values() {
    return Set.copyOf(filed.keySet());
  }

  /** Returns the objects that are filed under the given value, or null if there are none. */
  @Nullable ObjectTable<T> filedUnder(String value) {
    return filed.get(value);
  }

  /**
   * Calls the index function and returns the values of an object. Returns an empty set if the
   * function fails.
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
      FatalErrors.rethrow(e);
      failures.incrementAndGet();
      if (e instanceof UndecodableException undecodable) { // the object is wrong, not the function
        UndecodableException.Log.omitted(object, undecodable);
      } else if (warned.compareAndSet(false, true)) {
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
   * Calls the index function and returns whether an object has a value. The store calls this method
   * for an object that is being updated, and for an object that is compared with a query.
   */
  boolean says(CachedObject<T> object, String value) {
    try {
      return function.valuesOf(object).contains(value);
    } catch (Exception | Error e) { // counted and logged when the state was stored
      FatalErrors.rethrow(e);
      return false;
    }
  }

  /** Files an object under the given values. Replaces an older version with the same key. */
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
   * Removes the entries of a key for all values except the given ones.
   *
   * @param values the key's current values
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

  /** Removes all entries of an object that has been removed from the store. */
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
   * Returns an exception that contains the type and the stack trace of the given exception, but not
   * its message. The message could quote the content of the object, which may be secret.
   */
  private static Throwable withoutContent(Throwable thrown) {
    if (thrown instanceof ReturnedNullException) {
      return thrown;
    }
    Throwable stripped = new IllegalStateException(thrown.getClass().getName());
    stripped.setStackTrace(thrown.getStackTrace());
    return stripped;
  }

  /** Returns a description of the failure. It does not contain the object's content. */
  private static String what(Throwable thrown) {
    if (thrown instanceof ReturnedNullException returned) {
      return String.valueOf(returned.getMessage());
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    return "threw " + thrown.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  /** Thrown if an index function returned null or a null value. */
  private static final class ReturnedNullException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ReturnedNullException(String what) {
      super("returned " + what);
    }
  }
}
