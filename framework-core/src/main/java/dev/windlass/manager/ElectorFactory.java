// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Creates electors for a Lease on an API server or, in tests, for a Lease in memory. */
interface ElectorFactory {
  LeaderElector create(
      KubernetesClient client,
      LeaderElectionOptions options,
      LeaderElector.Environment environment,
      LeaderListener listener);
}
