// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.manager.ArgumentChecks.given;

import dev.windlass.informer.CachePolicy;
import dev.windlass.informer.InformerSpec;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cache settings of a {@link ManagerBuilder}. The program can set the values in any order. This
 * class is not thread-safe.
 */
final class CacheSettings {

  private final List<InformerSpec<?>> specs = new ArrayList<>();
  private final List<ResourceType> never = new ArrayList<>();
  private Transform transform = Transform.NONE;

  void add(InformerSpec<?>... more) {
    for (InformerSpec<?> spec : given(more, "cache")) {
      specs.add(given(spec, "cache"));
    }
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is not modified
  final void never(Class<? extends HasMetadata>... types) {
    for (Class<? extends HasMetadata> type : given(types, "neverCache")) {
      never.add(ResourceType.of(given(type, "neverCache")));
    }
  }

  void transform(Transform forAll) {
    transform = forAll;
  }

  /**
   * Returns the cache policies that result from all settings, by the names of the clusters.
   * Clusters that are not in the map have the policy of the empty name, the manager's own cluster.
   *
   * @throws IllegalArgumentException if the settings contradict each other; the message states the
   *     remedy
   */
  Map<String, CachePolicy> policies() {
    Map<String, CachePolicy> policies = new TreeMap<>();
    policies.put("", policy(""));
    specs.forEach(spec -> policies.computeIfAbsent(spec.cluster(), this::policy));
    return policies;
  }

  /**
   * Returns the cache policy of a cluster. A spec without a cluster applies to each cluster, unless
   * another spec of its type names the cluster.
   */
  private CachePolicy policy(String cluster) {
    CachePolicy policy = CachePolicy.EVERYTHING.withTransform(transform);
    for (InformerSpec<?> spec : specs) {
      if (isFor(cluster, spec)) {
        policy = policy.with(spec.inCluster(""));
      }
    }
    for (ResourceType type : never) {
      policy = policy.withNever(type);
    }
    return policy;
  }

  private boolean isFor(String cluster, InformerSpec<?> spec) {
    return spec.cluster().equals(cluster)
        || (spec.cluster().isEmpty()
            && specs.stream()
                .noneMatch(
                    other -> other.cluster().equals(cluster) && other.type().equals(spec.type())));
  }
}
