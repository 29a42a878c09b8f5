// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.ownwrites.OtherCache;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Groups informers by type, and connects the caches that can hold the same objects. */
final class InformersByType {

  private InformersByType() {}

  static Map<ResourceType, List<SharedIndexInformer<?>>> of(
      Collection<SharedIndexInformer<?>> informers) {
    Map<ResourceType, List<SharedIndexInformer<?>>> byType = new HashMap<>();
    for (SharedIndexInformer<?> informer : informers) {
      byType.computeIfAbsent(informer.type(), type -> new ArrayList<>()).add(informer);
    }
    byType.values().forEach(InformersByType::connect);
    return byType;
  }

  /** Connects the caches of one type whose namespaces overlap. */
  private static void connect(List<SharedIndexInformer<?>> ofOneType) {
    Map<String, List<SharedIndexInformer<?>>> byNamespace = new HashMap<>();
    for (SharedIndexInformer<?> informer : ofOneType) {
      byNamespace
          .computeIfAbsent(informer.scope().namespace(), namespace -> new ArrayList<>())
          .add(informer);
    }
    List<SharedIndexInformer<?>> everywhere = byNamespace.getOrDefault("", List.of());
    for (SharedIndexInformer<?> informer : ofOneType) {
      List<SharedIndexInformer<?>> overlapping = new ArrayList<>(everywhere);
      if (informer.scope().namespace().isEmpty()) {
        overlapping = new ArrayList<>(ofOneType);
      } else {
        overlapping.addAll(byNamespace.get(informer.scope().namespace()));
      }
      overlapping.remove(informer);
      informer.overlay().inform(overlapping.stream().map(InformersByType::other).toList());
    }
  }

  private static OtherCache other(SharedIndexInformer<?> informer) {
    WatchScope scope = informer.scope();
    String namespace = informer.type().namespaced() ? scope.namespace() : "";
    return new OtherCache(
        informer.overlay(),
        state ->
            namespace.isEmpty() || namespace.equals(state.key().namespace())
                ? scope.selects(state.key(), state.labels())
                : Optional.of(false));
  }
}
