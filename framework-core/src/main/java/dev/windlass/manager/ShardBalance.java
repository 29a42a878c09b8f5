// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * How many shards each replica owns, and how many it should own. Every replica computes the same
 * from the same observations: those that already own most get the shards that can't be divided
 * evenly, so that only the shards move that must.
 *
 * @param owners the owner of each shard; an empty string if it has none
 * @param members the replicas that are there, including all owners
 */
record ShardBalance(List<String> owners, Set<String> members) {

  ShardBalance {
    owners = List.copyOf(owners);
    members = Set.copyOf(members);
  }

  /** Returns how many shards a replica owns. */
  int owned(String member) {
    return Collections.frequency(owners, member);
  }

  /** Returns how many shards a member should own. */
  int target(String member) {
    List<String> ranked =
        members.stream()
            .sorted(
                Comparator.comparing(this::owned)
                    .reversed()
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    int each = owners.size() / members.size();
    int over = owners.size() % members.size();
    return ranked.indexOf(member) < over ? each + 1 : each;
  }
}
