// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.leader.Fence;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Specifies whether a controller runs only on the leader, and which fence guards its reconciles.
 *
 * @param phase the phase in which the controller starts; it determines whether the controller runs
 *     on every replica
 * @param fence the fence, which must be open when a reconcile starts
 * @param warmUp whether the sources fill their caches on a replica that is not the leader
 */
public record LeadershipRequirement(Phase phase, Fence fence, boolean warmUp) {

  /**
   * Returns the requirement for the given settings of a builder.
   *
   * @param group the group whose lease is required; null to require the manager's lease if leader
   *     election is enabled
   */
  public static LeadershipRequirement of(
      Manager manager, @Nullable LeaderGroup group, boolean needsLeader, boolean warmUp) {
    if (!needsLeader) {
      return new LeadershipRequirement(Phase.ALWAYS, Fence.OPEN, false);
    }
    Fence fence =
        Optional.ofNullable(group)
            .or(manager::leadership)
            .map(LeaderGroup::fence)
            .orElse(Fence.OPEN);
    return new LeadershipRequirement(Phase.LEADER, fence, warmUp && fence != Fence.OPEN);
  }
}
