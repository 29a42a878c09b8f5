// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which objects live, and who owns whom, by uid. The store's lock guards it. */
final class OwnerIndex {
  private final Map<String, Place> live = new HashMap<>();
  private final Map<String, Set<Place>> dependents = new HashMap<>();

  /** Where an object is. */
  record Place(GroupResource resource, ObjectKey key) {}

  /** Takes a change into account. */
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
   * The object with this uid, unless it lives in another namespace than {@code namespace}. A
   * cluster-scoped dependent, with an empty namespace, is spared even if its owner has one: that is
   * a mistake of the author, which the real collector refuses to act upon.
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

  /** The places of those that name {@code owner} among their owners; a copy. */
  List<Place> dependents(String owner) {
    return List.copyOf(dependents.getOrDefault(owner, Set.of()));
  }
}
