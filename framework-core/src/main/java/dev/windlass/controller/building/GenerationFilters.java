// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.object.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks that {@link EventPredicate#generationChanged()} does not hide required events. */
final class GenerationFilters {

  /**
   * Built-in types whose objects have no {@code metadata.generation} in Kubernetes 1.34, because
   * their registries ({@code pkg/registry}) never set it. Types that have a generation in some
   * supported versions of Kubernetes, such as Pods, are not included.
   */
  private static final Set<String> WITHOUT_GENERATION =
      Set.of(
          "certificatesigningrequests.certificates.k8s.io",
          "clusterrolebindings.rbac.authorization.k8s.io",
          "clusterroles.rbac.authorization.k8s.io",
          "configmaps",
          "controllerrevisions.apps",
          "endpoints",
          "events",
          "events.events.k8s.io",
          "leases.coordination.k8s.io",
          "limitranges",
          "namespaces",
          "nodes",
          "persistentvolumeclaims",
          "persistentvolumes",
          "resourcequotas",
          "rolebindings.rbac.authorization.k8s.io",
          "roles.rbac.authorization.k8s.io",
          "runtimeclasses.node.k8s.io",
          "secrets",
          "serviceaccounts",
          "services",
          "storageclasses.storage.k8s.io");

  private GenerationFilters() {}

  /**
   * Returns a description of the first watch whose updates would be hidden, or empty if there is
   * none. The description completes a sentence that begins with the name of the controller.
   *
   * @param filters the event filters that apply to all watches
   */
  static Optional<String> misuse(
      List<WatchSelection.Watch<?>> watches, List<? extends EventPredicate<?>> filters) {
    if (watches.size() > 1 && filters.stream().anyMatch(EventPredicate::requiresNewGeneration)) {
      return Optional.of(
          "filters the events of every type by EventPredicate.generationChanged(), which would hide"
              + " the status of what it owns: give it to forType(type, predicate) instead");
    }
    return watches.stream()
        .filter(watch -> WITHOUT_GENERATION.contains(watch.spec().type().resource()))
        .filter(
            watch ->
                Stream.concat(watch.predicates().stream(), filters.stream())
                    .anyMatch(EventPredicate::requiresNewGeneration))
        .map(watch -> hidesUpdates(watch.spec().type()))
        .findFirst();
  }

  private static String hidesUpdates(ResourceType type) {
    return "filters the events of %s by EventPredicate.generationChanged(), which would hide every update, because a %s has no metadata.generation: use resourceVersionChanged() instead"
        .formatted(type.resource(), type.kind());
  }
}
