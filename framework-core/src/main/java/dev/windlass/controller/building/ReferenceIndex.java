// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Finds the primary objects that refer to an object of another type. To do so, this class adds an
 * index of the references to the primary type's cache. The handler requests a reconcile of each
 * primary object that refers to a changed object. The handler finds no primary objects before the
 * cache is filled, but every primary object is reconciled after the initial list. Instances are
 * immutable.
 *
 * @param <T> the primary type
 */
final class ReferenceIndex<T> {

  /**
   * The number of indices created so far, which makes the name of each index unique. Several
   * controllers can share a cache, and each of their indices has its own function.
   */
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static final Logger log = ControllerLog.get();

  private final ResourceType referenced;
  private final String index;
  private final Function<? super T, ? extends Collection<ObjectKey>> keysOf;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates an index of the references to objects of a type.
   *
   * @param keysOf returns the keys of the objects to which a primary object refers
   */
  ReferenceIndex(
      ResourceType referenced, Function<? super T, ? extends Collection<ObjectKey>> keysOf) {
    this.referenced = referenced;
    this.keysOf = keysOf;
    this.index = "watchesReferenced(" + referenced.kind() + ")-" + NUMBERS.incrementAndGet();
  }

  /**
   * Adds this index to the primary type's cache.
   *
   * @param primaries the primary type's source
   */
  @SuppressWarnings("unchecked") // the builder and this source have the same type
  void addTo(InformerSource<?> primaries) {
    ((InformerSource<T>) primaries).indexedBy(index, this::valuesOf);
  }

  @SuppressWarnings("NullAway") // a user's function can return null, or a null key
  private List<String> valuesOf(CachedObject<T> primary) {
    Collection<ObjectKey> keys = keysOf.apply(primary.decode());
    return keys == null // the index rejects null, with a message that contains its name
        ? null
        : keys.stream().map(key -> key == null ? null : valueOf(key, primary)).toList();
  }

  /**
   * Returns the index value for a key. Logs a warning if the key does not fit the scope of the
   * referenced type, because such a key never matches an object.
   */
  private String valueOf(ObjectKey key, CachedObject<T> primary) {
    try {
      referenced.requireScope(key);
    } catch (IllegalArgumentException e) {
      log.atLevel(warned.compareAndSet(false, true) ? Level.WARN : Level.DEBUG)
          .log(
              "The function of watchesReferenced({}) returned a key for {} that no object can have:"
                  + " {}. Further keys of this kind are logged at the debug level",
              referenced.kind(),
              primary,
              e.getMessage());
    }
    return key.toString();
  }

  /**
   * Returns a handler that requests a reconcile of each primary object that refers to the object of
   * an event. The requests are for the given cluster, even if the event comes from a different
   * cluster.
   */
  public <S> EventHandler<S> handler(Supplier<? extends Indexer<?>> primaries, String cluster) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(new Request(cluster, primary.key())));
  }
}
