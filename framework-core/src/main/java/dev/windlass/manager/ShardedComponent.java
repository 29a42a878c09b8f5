// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

/**
 * A component that is divided into shards, mainly a sharded controller. It starts on every replica;
 * what it does for a shard depends on the shard's lease. See {@link ManagerBuilder#shards}.
 */
public interface ShardedComponent extends ManagedComponent {

  /**
   * Returns the component that the manager starts when this replica acquires the lease of a shard,
   * and stops when the replica loses it or hands it over.
   *
   * @param index the index of the shard; the first one has the index 0
   */
  ManagedComponent shard(int index);
}
