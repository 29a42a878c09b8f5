// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.controllers.OwnerIndex.Place;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions.Propagation;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ChangeListener;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Deletes objects whose owners have all been deleted, and implements the orphan and foreground
 * propagation policies. This class behaves like the garbage collector of kube-controller-manager.
 * It records changes under the store's lock, and deletes objects in background tasks.
 */
public final class GarbageCollector implements ChangeListener {
  private final Store store;
  private final ResourceTypes types;
  private final ObjectWrites writes;
  private final ObjectDeletes deletes;
  private final Background background;
  private final OwnerIndex index = new OwnerIndex();

  public GarbageCollector(
      Store store,
      ResourceTypes types,
      ObjectWrites writes,
      ObjectDeletes deletes,
      Background background) {
    this.store = store;
    this.types = types;
    this.writes = writes;
    this.deletes = deletes;
    this.background = background;
  }

  @Override
  public void changed(GroupResource resource, Change change) {
    index.record(resource, change);
    Meta meta = change.meta();
    Place place = new Place(resource, meta.key());
    if (change.type() == Change.Type.DELETED) {
      index.dependents(meta.uid()).forEach(d -> background.run(() -> reviewDependent(d)));
    } else {
      boolean ownerless =
          OwnerIndex.owners(change.object()).stream()
              .anyMatch(uid -> index.owner(uid, meta.namespace()) == null);
      if (ownerless) {
        background.run(() -> reviewDependent(place));
      }
      if (waits(change.object(), ObjectDeletes.ORPHAN_FINALIZER)
          || waits(change.object(), ObjectDeletes.FOREGROUND_FINALIZER)) {
        background.run(() -> reviewOwner(place));
      }
    }
    reviewOwnersThatWait(change);
  }

  /**
   * Reviews the owners of a deleted object. An owner may have been waiting for the deletion of its
   * last dependent.
   */
  private void reviewOwnersThatWait(Change change) {
    ObjectNode previous = change.previous();
    if (previous == null) {
      return;
    }
    for (String uid : OwnerIndex.owners(previous)) {
      Place owner = index.owner(uid, change.meta().namespace());
      if (owner != null && change.type() == Change.Type.DELETED) {
        background.run(() -> reviewOwner(owner));
      }
    }
  }

  private static boolean waits(ObjectNode object, String finalizer) {
    Meta meta = Meta.of(object);
    return meta.deleting() && meta.finalizers().contains(finalizer);
  }

  /**
   * Deletes an object if each of its owners either does not exist, or waits for the deletion of its
   * dependents. If the object also has other owners, keeps the object and removes only the
   * references to owners that are absent or waiting.
   */
  private void reviewDependent(Place place) {
    Optional<ResourceType> type = types.find(place.resource());
    try (Store.Transaction tx = store.begin()) {
      ObjectNode object = tx.get(place.resource(), place.key());
      if (type.isEmpty() || object == null || OwnerIndex.owners(object).isEmpty()) {
        return;
      }
      List<String> solid = new ArrayList<>();
      boolean awaited = false;
      for (String uid : OwnerIndex.owners(object)) {
        Place owner = index.owner(uid, place.key().namespace());
        ObjectNode found = owner == null ? null : tx.get(owner.resource(), owner.key());
        if (found != null && waits(found, ObjectDeletes.FOREGROUND_FINALIZER)) {
          awaited = true;
        } else if (found != null) {
          solid.add(uid);
        }
      }
      if (!solid.isEmpty()) {
        keepOwners(type.get(), place, solid::contains);
      } else if (!Meta.of(object).deleting()) {
        boolean owner = !index.dependents(Meta.of(object).uid()).isEmpty();
        Propagation policy = awaited && owner ? Propagation.FOREGROUND : Propagation.BACKGROUND;
        deletes.delete(type.get(), place.key(), DeleteOptions.of(policy));
      }
    }
  }

  private void keepOwners(ResourceType type, Place place, Predicate<String> keep) {
    writes.tryUpdate(
        type,
        place.key(),
        "",
        copy -> {
          Meta meta = Meta.of(copy);
          meta.owners(
              meta.owners().stream().filter(o -> keep.test(o.path("uid").asText())).toList());
          return copy;
        });
  }

  /**
   * Orphans or deletes the dependents of an owner that is being deleted, depending on the owner's
   * finalizer. Removes the finalizer if no dependent blocks the deletion any longer.
   */
  private void reviewOwner(Place place) {
    Optional<ResourceType> type = types.find(place.resource());
    try (Store.Transaction tx = store.begin()) {
      ObjectNode object = tx.get(place.resource(), place.key());
      if (type.isEmpty() || object == null) {
        return;
      }
      String uid = Meta.of(object).uid();
      if (waits(object, ObjectDeletes.ORPHAN_FINALIZER)) {
        for (Place dependent : index.dependents(uid)) {
          types
              .find(dependent.resource())
              .ifPresent(kind -> keepOwners(kind, dependent, owner -> !owner.equals(uid)));
        }
        removeFinalizer(type.get(), place, ObjectDeletes.ORPHAN_FINALIZER);
      } else if (waits(object, ObjectDeletes.FOREGROUND_FINALIZER)) {
        index.dependents(uid).forEach(this::reviewDependent);
        if (index.dependents(uid).stream().noneMatch(dependent -> blocks(tx, dependent, uid))) {
          removeFinalizer(type.get(), place, ObjectDeletes.FOREGROUND_FINALIZER);
        }
      }
    }
  }

  private static boolean blocks(Store.Transaction tx, Place dependent, String ownerUid) {
    ObjectNode object = tx.get(dependent.resource(), dependent.key());
    return object != null
        && Meta.of(object).owners().stream()
            .filter(owner -> owner.path("uid").asText().equals(ownerUid))
            .anyMatch(owner -> owner.path("blockOwnerDeletion").asBoolean());
  }

  private void removeFinalizer(ResourceType type, Place place, String finalizer) {
    writes.tryUpdate(
        type,
        place.key(),
        "",
        copy -> {
          List<String> left = Meta.of(copy).finalizers();
          left.remove(finalizer);
          Meta.of(copy).finalizers(left);
          return copy;
        });
  }
}
