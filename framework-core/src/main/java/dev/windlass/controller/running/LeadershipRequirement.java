// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.leader.Fence;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a controller needs leader election, and the fence that guards its reconciles.
 *
 * @param phase the phase in which the controller starts: with the leader, or always
 * @param fence the fence that must be open for a reconcile to start
 * @param warmUp whether the sources run on a replica that does not lead yet
 */
public record LeadershipRequirement(Phase phase, Fence fence, boolean warmUp) {

  /** The leadership of a controller without leader election. */
  static final LeadershipRequirement ALONE =
      new LeadershipRequirement(Phase.LEADER, Fence.OPEN, true);

  /**
   * Returns the leadership for the settings of a builder.
   *
   * @param group the group whose lease is required. If it is null, the manager's lease is required,
   *     provided that leader election is enabled
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
    return new LeadershipRequirement(Phase.LEADER, fence, warmUp);
  }
}
