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
 * the owner's creation event, because a predicate may reject that event. If the cache contains an
 * object with the owner's name and a different uid, the owner has been replaced. The handler then
 * ignores its objects until they are deleted. The deletion of such an object allows the replacement
 * to create an object with the same name, so the handler requests a reconcile of the replacement.
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
      enqueue(updated.old(), sink, false); // the previous owner must be reconciled as well
    }
    enqueue(event.object(), sink, event instanceof ResourceEvent.Deleted<T>);
  }

  private void enqueue(CachedObject<T> object, RequestSink sink, boolean deleted) {
    log.debug("Processing object: {}", object.key());
    Stream<OwnerRef> candidates =
        controllerOnly ? object.controllerOwner().stream() : object.owners().stream();
    candidates
        .filter(this::isOfType)
        .forEach(
            owner -> {
              if (deleted || !isReplaced(key(object, owner), owner)) {
                sink.add(key(object, owner));
              } else {
                log.debug(
                    "ignoring orphaned object '{}' of {} '{}'",
                    object.key(),
                    ownerType.kind().toLowerCase(Locale.ROOT),
                    owner.name());
              }
            });
  }

  private boolean isOfType(OwnerRef owner) {
    return owner.kind().equals(ownerType.kind()) && owner.group().equals(ownerType.group());
  }

  private ObjectKey key(CachedObject<T> object, OwnerRef owner) {
    return new ObjectKey(ownerType.namespaced() ? object.key().namespace() : "", owner.name());
  }

  /** Returns whether the cache contains a later object with the name of the owner. */
  private boolean isReplaced(ObjectKey key, OwnerRef owner) {
    return owners.get().get(key).filter(found -> !found.uid().equals(owner.uid())).isPresent();
  }
}
