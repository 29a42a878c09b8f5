// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps the uid of each object to its location, and the uid of each owner to its dependents. The
 * store's lock guards this index.
 */
final class OwnerIndex {
  private final Map<String, Place> live = new HashMap<>();
  private final Map<String, Set<Place>> dependents = new HashMap<>();

  /** An object's location. */
  record Place(GroupResource resource, ObjectKey key) {}

  /** Updates the index with a change. */
  void record(GroupResource resource, Change change) {
    Place place = new Place(resource, change.meta().key());
    ObjectNode previous = change.previous();
    if (previous != null) {
      for (String owner : owners(previous)) {
        Set<Place> siblings = dependents.getOrDefault(owner, Set.of());
        if (siblings.remove(place) && siblings.isEmpty()) {
          dependents.remove(owner);
        }
      }
    }
    if (change.type() == Change.Type.DELETED) {
      live.remove(change.meta().uid());
      return;
    }
    live.put(change.meta().uid(), place);
    for (String owner : owners(change.object())) {
      dependents.computeIfAbsent(owner, uid -> new LinkedHashSet<>()).add(place);
    }
  }

  static List<String> owners(ObjectNode object) {
    return Meta.of(object).owners().stream().map(owner -> owner.path("uid").asText()).toList();
  }

  /**
   * Returns the location of the owner with the given uid. Returns null if the owner does not exist,
   * or if a dependent in {@code namespace} cannot refer to it. An owner must be cluster-scoped or
   * in the same namespace as its dependent.
   *
   * <p>If {@code namespace} is empty, the dependent is cluster-scoped. In that case, this method
   * accepts an owner in any namespace. A reference from a cluster-scoped object to a namespaced
   * owner is invalid. As in the real garbage collector, it does not cause the deletion of the
   * dependent.
   */
  @Nullable Place owner(String uid, String namespace) {
    Place place = live.get(uid);
    if (place == null) {
      return null;
    }
    String home = place.key().namespace();
    boolean reachable = home.isEmpty() || namespace.isEmpty() || home.equals(namespace);
    return reachable ? place : null;
  }

  /**
   * Returns the locations of the objects that name {@code owner} in an owner reference. The list is
   * a copy.
   */
  List<Place> dependents(String owner) {
    return List.copyOf(dependents.getOrDefault(owner, Set.of()));
  }
}
