// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.leader.Fence;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Specifies whether a controller runs only on the leader, and which fences guard its reconciles. A
 * controller that is not sharded has one shard, which holds every key.
 *
 * @param phase the phase in which the controller starts; it determines whether the controller runs
 *     on every replica
 * @param fences the fence of each shard, which must be open when a reconcile starts
 * @param key what decides to which shard a request belongs
 * @param warmUp whether the sources fill their caches on a replica that owns no keys
 */
public record LeadershipRequirement(Phase phase, List<Fence> fences, ShardKey key, boolean warmUp) {

  public LeadershipRequirement {
    fences = List.copyOf(fences);
  }

  /** Creates the requirement of a controller that is not sharded. */
  public LeadershipRequirement(Phase phase, Fence fence, boolean warmUp) {
    this(phase, List.of(fence), ShardKey.OBJECT, warmUp);
  }

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

  /** Returns the requirement of a controller that is divided into the shards of a manager. */
  public static LeadershipRequirement ofShards(
      List<LeaderGroup> groups, ShardKey key, boolean warmUp) {
    return new LeadershipRequirement(
        Phase.LEADER, groups.stream().map(LeaderGroup::fence).toList(), key, warmUp);
  }

  /** Returns the number of shards. */
  public int shards() {
    return fences.size();
  }

  /** Returns whether the controller is divided into several shards. */
  public boolean isSharded() {
    return shards() > 1;
  }

  /** Returns the shard to which a request belongs. */
  public int shardOf(Request request) {
    return key.shardOf(request, shards());
  }

  /** Returns the fence of the shard to which a request belongs. */
  public Fence fence(Request request) {
    return fences.get(shardOf(request));
  }
}
