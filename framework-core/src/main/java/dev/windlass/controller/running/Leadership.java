// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.leader.Fence;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes how a controller depends on leader election.
 *
 * @param phase the phase in which the controller starts: with the leader, or always
 * @param fence the fence that must be open for a reconcile to start
 * @param warmUp whether the sources run on a replica that does not lead yet
 */
public record Leadership(Phase phase, Fence fence, boolean warmUp) {

  /** The leadership of a controller without leader election. */
  static final Leadership ALONE = new Leadership(Phase.LEADER, Fence.OPEN, true);

  /**
   * Returns the leadership for the settings of a builder.
   *
   * @param group the group whose lease is required. If it is null, the manager's lease is required,
   *     provided that leader election is enabled
   */
  public static Leadership of(
      Manager manager, @Nullable LeaderGroup group, boolean needsLeader, boolean warmUp) {
    if (!needsLeader) {
      return new Leadership(Phase.ALWAYS, Fence.OPEN, false);
    }
    Fence fence =
        Optional.ofNullable(group)
            .or(manager::leadership)
            .map(LeaderGroup::fence)
            .orElse(Fence.OPEN);
    return new Leadership(Phase.LEADER, fence, warmUp);
  }
}
