// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ResourceType;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Says which objects to reconcile when something happens to another. Must be quick; called by one
 * thread at a time. If it throws, that is logged, and the event leads to nothing more.
 *
 * @param <T> the type of the objects that events are about
 */
@FunctionalInterface
public interface EventHandler<T> {

  /** Puts the requests that the event leads to into the sink. */
  void handle(ResourceEvent<T> event, RequestSink sink);

  /** The object itself is reconciled. */
  static <T> EventHandler<T> self() {
    return (event, sink) -> sink.add(event.key());
  }

  /**
   * The owner is reconciled that is marked as the object's controller, of the old state and of the
   * new one, if it is of the given type; any version of the type will do.
   *
   * @param owners those that are known; one that is not is reconciled, too, unless another object
   *     has its name by now
   */
  static <T> EventHandler<T> owner(ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, true);
  }

  /** As {@link #owner}, but for every owner of the type, not only the controller. */
  static <T> EventHandler<T> everyOwner(
      ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, false);
  }

  /**
   * The objects are reconciled that a function names, or has named when it was asked about the
   * object last: for the old state and for the new one.
   *
   * @param requestsOf what it throws is logged, and nothing is reconciled for want of its answer
   */
  static <T> EventHandler<T> mapping(Function<T, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(object -> requestsOf.apply(object.decode()));
  }

  /**
   * As {@link #mapping}, of the object as it is cached: it need not be decoded for its metadata.
   */
  static <T> EventHandler<T> mappingMetadata(
      Function<CachedObject<?>, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(requestsOf::apply);
  }

  /**
   * Reconciles the objects that an index of their cache files under the key of the object, such as
   * {@code default/prices}: those that refer to it, in the same cluster.
   *
   * @param index whose values are keys of the objects that events are about
   * @param primaries the cache that has the index
   */
  static <T> EventHandler<T> byIndex(String index, Supplier<? extends Indexer<?>> primaries) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(primary.key()));
  }

  /** Nothing happens, until it is told what to do on each type of events. */
  static <T> EventHandlerByType<T> byType() {
    return EventHandlerByType.empty();
  }
}
