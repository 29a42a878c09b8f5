// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.time.Loop;
import dev.windlass.time.Step;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The parts of a manager that a {@link LeaderGroup} uses. */
interface GroupHost {

  Components components();

  StopSequence endings();

  OnLeadershipLost onLost();

  void fail(Throwable cause);

  void add(String name, ManagedComponent component, LeaderGroup group);

  LeaderElector elector(LeaderElectionOptions options, LeaderListener listener);

  KubernetesClient guarded(Fence fence);

  Client cached(KubernetesClient client);

  Loop loop(String name, Step step);
}
