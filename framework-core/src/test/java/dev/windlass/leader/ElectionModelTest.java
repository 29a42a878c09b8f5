// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas whose steps, clocks and connections go as chance wants: never do two act. */
final class ElectionModelTest {

  private static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.of("lease");
  private static final int STEPS = 4_000;
  private static final int RUNS = 60;

  /** Monotonic clocks differ in their origin and run up to 2 % too fast or too slow. */
  private final class Drifting implements Scheduler {
    private final long origin;
    private final double rate;

    Drifting(Random random) {
      origin = random.nextLong();
      rate = 0.98 + 0.04 * random.nextDouble();
    }

    @Override
    public long nanoTime() {
      return origin + (long) (now * rate);
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      throw new AssertionError("an election sets no alarm itself");
    }
  }

  private final class Player {
    final String name;
    final Scheduler clock;
    Replica replica;
    long frozenUntil;

    /** Until when, in true time, what it has begun may still go on. */
    long busyUntil;

    Player(String name, Random random) {
      this.name = name;
      this.clock = new Drifting(random);
      this.replica = life(random);
    }

    Replica life(Random random) {
      Clock wall = Clock.fixed(Instant.ofEpochSecond(random.nextInt(1_000_000)), ZoneOffset.UTC);
      return new Replica(name, lease, OPTIONS, clock, wall, random.nextLong());
    }

    boolean acts() {
      return replica.fence.holds();
    }
  }

  private long now;
  private FakeLease lease = new FakeLease();
  private int terms;

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void neverDoTwoAct(int number) {
    for (int run = 0; run < RUNS; run++) {
      long seed = 31L * number + run;
      try {
        play(number, new Random(seed));
      } catch (AssertionError e) {
        throw new AssertionError("with seed " + seed + " for " + number + " replicas", e);
      }
    }
    assertThat(terms).as("terms in all runs: the test must not be idle").isGreaterThan(RUNS * 5);
  }

  private void play(int number, Random random) {
    now = 0;
    lease = new FakeLease();
    List<Player> players = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      players.add(new Player("r" + i, random));
    }
    for (int step = 0; step < STEPS; step++) {
      now += (long) (random.nextDouble() * random.nextDouble() * 1_000_000_000L);
      Player player = players.get(random.nextInt(number));
      move(player, random);
      check(players);
    }
    for (Player player : players) {
      reviveIfGone(player, random);
      player.replica.connection.fault = Fault.NONE;
      player.replica.connection.deliver();
      player.frozenUntil = 0;
    }
    long healed = now;
    while (players.stream().noneMatch(Player::acts)) {
      now += Duration.ofMillis(100).toNanos();
      for (Player player : players) {
        player.replica.election.standAgain();
        player.replica.step();
        reviveIfGone(player, random);
      }
      check(players);
      assertThat(Duration.ofNanos(now - healed))
          .as("without a leader, though all is well")
          .isLessThan(Duration.ofSeconds(30));
    }
    players.forEach(p -> terms += p.replica.news.status().terms());
  }

  private void move(Player player, Random random) {
    switch (random.nextInt(60)) {
      case 0, 1 -> player.frozenUntil = now + (long) (random.nextDouble() * 40e9);
      case 2, 3, 4, 5 -> {
        Fault[] faults = Fault.values();
        player.replica.connection.fault = faults[random.nextInt(faults.length)];
      }
      case 6, 7, 8, 9, 10, 11, 12, 13 -> player.replica.connection.fault = Fault.NONE;
      case 14, 15, 16, 17, 18 -> player.replica.connection.deliver();
      case 19 -> player.replica.election.leave(player.busyUntil <= now);
      case 20, 21 -> reviveIfGone(player, random);
      default -> step(player);
    }
  }

  private void reviveIfGone(Player player, Random random) {
    if (player.replica.election.gone().isDone()) {
      terms += player.replica.news.status().terms();
      player.replica = player.life(random);
    }
  }

  private void step(Player player) {
    if (now < player.frozenUntil) {
      return;
    }
    if (player.busyUntil <= now) {
      player.replica.election.standAgain();
    }
    player.replica.step();
    if (player.acts()) {
      long limit = player.replica.fence.check().toNanos();
      player.busyUntil = Math.max(player.busyUntil, now + limit);
    }
  }

  private static boolean overlaps(Player a, Player b, long now) {
    return a != b && b.acts() && (a.acts() || a.busyUntil > now);
  }

  private void check(List<Player> players) {
    for (Player a : players) {
      for (Player b : players) {
        if (overlaps(a, b, now)) {
          throw new AssertionError(
              "%s acts at %s, and %s %s"
                  .formatted(
                      b.name,
                      Duration.ofNanos(now),
                      a.name,
                      a.acts() ? "acts as well" : "is not done with what it began"));
        }
      }
    }
  }
}
