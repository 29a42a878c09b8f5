// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShardBalanceTest {

  private static ShardBalance of(Set<String> members, String owners) {
    return new ShardBalance(List.of(owners.split("")), members);
  }

  @Test
  void givesTheRestToThoseThatOwnMost() {
    ShardBalance balance = of(Set.of("a", "b", "c", "d", "e"), "aaabbbcccddd");
    assertThat(balance.target("a")).isEqualTo(3);
    assertThat(balance.target("b")).isEqualTo(3);
    assertThat(balance.target("c")).isEqualTo(2);
    assertThat(balance.target("d")).isEqualTo(2);
    assertThat(balance.target("e")).isEqualTo(2);
  }

  @Test
  void givesNothingToReplicasBeyondTheNumberOfShards() {
    ShardBalance balance = of(Set.of("a", "b", "c"), "ab");
    assertThat(balance.target("c")).isZero();
    assertThat(balance.owned("c")).isZero();
  }

  /** Whoever moves first, all get their shares, and no shard moves that need not. */
  @Test
  void comesToRestWithAsFewMovesAsPossible() {
    Random random = new Random(5);
    for (int round = 0; round < 2_000; round++) {
      int shards = 1 + random.nextInt(16);
      List<String> members =
          IntStream.rangeClosed(1, 1 + random.nextInt(6)).mapToObj(i -> "m" + i).toList();
      List<String> owners =
          IntStream.range(0, shards)
              .mapToObj(i -> members.get(random.nextInt(members.size())))
              .collect(Collectors.toCollection(ArrayList::new));
      ShardBalance begin = new ShardBalance(owners, Set.copyOf(members));
      int surplus =
          members.stream().mapToInt(m -> Math.max(0, begin.owned(m) - begin.target(m))).sum();
      int moves = 0;
      List<String> over = over(owners, members);
      while (!over.isEmpty()) {
        String from = over.get(random.nextInt(over.size()));
        owners.set(owners.indexOf(from), "");
        ShardBalance now = new ShardBalance(owners, Set.copyOf(members));
        List<String> under = members.stream().filter(m -> now.owned(m) < now.target(m)).toList();
        owners.set(owners.indexOf(""), under.get(random.nextInt(under.size())));
        moves++;
        over = over(owners, members);
      }
      assertThat(moves).isEqualTo(surplus);
      ShardBalance end = new ShardBalance(owners, Set.copyOf(members));
      assertThat(members).allMatch(m -> end.owned(m) - shards / members.size() <= 1);
      assertThat(members).allMatch(m -> end.owned(m) >= shards / members.size());
    }
  }

  private static List<String> over(List<String> owners, List<String> members) {
    ShardBalance balance = new ShardBalance(owners, Set.copyOf(members));
    return members.stream().filter(m -> balance.owned(m) > balance.target(m)).toList();
  }
}
