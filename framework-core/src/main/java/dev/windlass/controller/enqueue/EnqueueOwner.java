// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.OwnerRef;
import dev.windlass.object.ResourceType;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests a reconcile of each owner of an object if the owner has a given type.
 *
 * <p>The handler also requests a reconcile if the owner is not in the cache yet. It cannot rely on
 * the owner's creation event, because a predicate may reject that event. The handler skips an owner
 * only if the cache contains an object with the owner's name and a different uid.
 */
final class EnqueueOwner<T> implements EventHandler<T> {

  private static final Logger log = LoggerFactory.getLogger(EventHandler.class);

  private final ResourceType ownerType;
  private final Supplier<? extends Indexer<?>> owners;
  private final boolean controllerOnly;

  EnqueueOwner(
      ResourceType ownerType, Supplier<? extends Indexer<?>> owners, boolean controllerOnly) {
    this.ownerType = ownerType;
    this.owners = owners;
    this.controllerOnly = controllerOnly;
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    if (event instanceof ResourceEvent.Updated<T> updated
        && !updated.old().owners().equals(updated.object().owners())) {
      enqueue(updated.old(), sink); // the previous owner must be reconciled as well
    }
    enqueue(event.object(), sink);
  }

  private void enqueue(CachedObject<T> object, RequestSink sink) {
    log.debug("Processing object: {}", object.key());
    Stream<OwnerRef> candidates =
        controllerOnly ? object.controllerOwner().stream() : object.owners().stream();
    candidates.filter(this::isOfType).forEach(owner -> enqueue(object, owner, sink));
  }

  private boolean isOfType(OwnerRef owner) {
    return owner.kind().equals(ownerType.kind()) && owner.group().equals(ownerType.group());
  }

  private void enqueue(CachedObject<T> object, OwnerRef owner, RequestSink sink) {
    ObjectKey key =
        new ObjectKey(ownerType.namespaced() ? object.key().namespace() : "", owner.name());
    boolean replaced =
        owners.get().get(key).filter(found -> !found.uid().equals(owner.uid())).isPresent();
    if (!replaced) {
      sink.add(key);
    } else {
      log.debug(
          "ignoring orphaned object '{}' of {} '{}'",
          object.key(),
          ownerType.kind().toLowerCase(Locale.ROOT),
          owner.name());
    }
  }
}
