// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * How the replicas of a program divide the objects of its sharded controllers among themselves.
 * Each shard is a range of hashes of the objects' keys, and has a Lease: {@code name-03-of-12}. The
 * replica that holds the Lease reconciles the shard's objects. The number of shards therefore
 * limits the number of replicas that have work; 12 can be divided evenly by 2, 3, 4 and 6.
 * Instances are immutable.
 */
public final class ShardOptions {

  /** The largest number of shards: 100. Each shard costs a write every 5 s by default. */
  private static final int MOST = 100;

  private final LeaderElectionOptions election;
  private final int number;

  private ShardOptions(LeaderElectionOptions election, int number) {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(
          "a program can have 1 to " + MOST + " shards, not " + number);
    }
    this.election = election;
    this.number = number;
  }

  /**
   * Returns the default options: one shard, whose owner is the leader. The durations are 30 s, 20 s
   * and 5 s, so that the Leases of many shards cost few requests; see {@link
   * LeaderElectionOptions#withDurations}.
   *
   * @param name the name with which the names of all Leases begin
   * @throws IllegalArgumentException if the name is not valid for a Lease
   */
  public static ShardOptions of(String name) {
    return new ShardOptions(
        LeaderElectionOptions.of(name)
            .withDurations(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(5)),
        1);
  }

  /** Returns the options of one leader, which are those of a single shard. */
  public static ShardOptions of(LeaderElectionOptions election) {
    return new ShardOptions(election, 1);
  }

  /**
   * Returns a copy of these options with the given number of shards. All replicas must use the same
   * number. A replica with another number waits until those with the old number have stopped, so
   * that a rolling update can change the number.
   *
   * @throws IllegalArgumentException unless the number is between 1 and 100
   */
  public ShardOptions withShards(int other) {
    return new ShardOptions(election, other);
  }

  /**
   * Returns a copy of these options with a changed election, for example with other durations or in
   * another namespace. The change must keep the name.
   */
  public ShardOptions withElection(UnaryOperator<LeaderElectionOptions> change) {
    return new ShardOptions(change.apply(election), number);
  }

  /** Returns the number of shards. */
  public int number() {
    return number;
  }

  /** Returns the options of the election, whose name is the beginning of all names of Leases. */
  public LeaderElectionOptions election() {
    return election;
  }

  /** Returns the options for the Lease of a shard. The first shard has the index 0. */
  public LeaderElectionOptions shard(int index) {
    return number == 1
        ? election
        : election.withName("%s-%02d-of-%02d".formatted(election.name(), index + 1, number));
  }

  /** Returns the options for the Lease by which a replica says that it is there. */
  public LeaderElectionOptions member(int slot) {
    return election.withName("%s-member-%02d-of-%02d".formatted(election.name(), slot + 1, number));
  }

  @Override
  public String toString() {
    return number + " shards of " + election.name();
  }
}
