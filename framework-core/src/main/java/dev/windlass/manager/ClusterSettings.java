// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.informer.CachePolicy;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.WatchScope;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a manager connects to its clusters. The settings are the same for each cluster.
 *
 * @param transport the HTTP transport, or null for the default
 * @param connector determines how informers list and watch
 * @param scope the namespaces of the caches
 * @param policies which objects the caches contain, by the names of the clusters; the policy of the
 *     empty name applies to those that the map does not name
 * @param options the options for informers, with the scheduler and threads of all components
 * @param readYourWrites whether reads from caches include this process's own writes
 * @param client the settings of clients that read from the caches
 */
record ClusterSettings(
    HttpClient.@Nullable Factory transport,
    ManagerBuilder.Connector connector,
    WatchScope scope,
    Map<String, CachePolicy> policies,
    InformerOptions options,
    boolean readYourWrites,
    CachedClient.Settings client) {

  ClusterSettings within(WatchScope other) {
    return new ClusterSettings(
        transport, connector, other, policies, options, readYourWrites, client);
  }

  CachePolicy policy(String cluster) {
    return Objects.requireNonNull(policies.getOrDefault(cluster, policies.get("")));
  }
}
