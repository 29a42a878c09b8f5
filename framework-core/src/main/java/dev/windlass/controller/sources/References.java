// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.sources;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The references of primary objects to objects of another type: an index of the primary cache, and
 * the handler that looks up in it who refers to an object that has changed. Nothing is missed while
 * the primary cache is still empty, since each primary is reconciled when it is listed. Immutable.
 *
 * @param <T> the primary type
 */
public final class References<T> {

  /** Caches are shared among controllers, and each of them has a function of its own. */
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final String index;
  private final Function<? super T, ? extends Collection<ObjectKey>> keysOf;

  /**
   * References to the objects of a type.
   *
   * @param keysOf the keys of the objects to which a primary object refers
   */
  public References(
      ResourceType referenced, Function<? super T, ? extends Collection<ObjectKey>> keysOf) {
    this.keysOf = keysOf;
    this.index = "watchesReferenced(" + referenced.kind() + ")-" + NUMBERS.incrementAndGet();
  }

  /**
   * Adds the index.
   *
   * @param primaries the source of the primary type
   */
  @SuppressWarnings("unchecked") // whoever knows the builder's type knows this source's
  public void addTo(InformerSource<?> primaries) {
    ((InformerSource<T>) primaries).indexedBy(index, this::valuesOf);
  }

  @SuppressWarnings("NullAway") // what a user's function returns, it may well return
  private List<String> valuesOf(CachedObject<T> primary) {
    Collection<ObjectKey> keys = keysOf.apply(primary.decode());
    return keys == null // the index refuses it, by its name
        ? null
        : keys.stream().map(ObjectKey::toString).toList();
  }

  /** Reconciles the primary objects that refer to the object of an event, wherever that is. */
  public <S> EventHandler<S> handler(Supplier<? extends Indexer<?>> primaries, String cluster) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(new Request(cluster, primary.key())));
  }
}
