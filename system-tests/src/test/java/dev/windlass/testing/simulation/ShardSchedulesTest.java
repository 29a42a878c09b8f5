// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.ShardOptions;
import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random minutes of three to five replicas: they start, stop, are killed or frozen, reconcile
 * slowly, lose their network or single responses, and are replaced by replicas with another number
 * of shards. {@code -Dshards.seed=S} repeats one schedule, {@code -Dshards.schedules=N} runs more
 * of them.
 */
@Timeout(3_600)
final class ShardSchedulesTest {

  /** One schedule in ten has many objects. */
  private static final int MANY = 200;

  /** The time between the renew deadline and the lease duration, for which a stop waits. */
  private static final Duration GRACE = Duration.ofMillis(20);

  @Test
  void neverOverlapAndLoseNothing() {
    search(10);
  }

  /** Runs random schedules, or the one that is given by its seed. */
  static void search(int schedules) {
    Long only = Long.getLong("shards.seed");
    long first = only == null ? new Random().nextInt(1_000_000) : only;
    int count = only == null ? Integer.getInteger("shards.schedules", schedules) : 1;
    LongStream.range(first, first + count).parallel().forEach(ShardSchedulesTest::run);
    System.out.printf("%d schedules of shards from seed %d%n", count, first);
  }

  private static void run(long seed) {
    try (Schedule schedule = new Schedule(seed)) {
      QuietThreads.run(schedule::run);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("-Dshards.seed=" + seed, e);
    }
  }

  /** The network of a replica, which fails as the schedule says. */
  private static final class Network implements TransportHook {
    private final Simulation simulation;
    private Duration cutUntil = Duration.ZERO;
    private int responsesToLose;

    Network(Simulation simulation) {
      this.simulation = simulation;
    }

    @Override
    public void sending(RecordedRequest request) throws IOException {
      if (cutUntil.compareTo(simulation.elapsed()) > 0) {
        throw new IOException("the request has timed out");
      }
    }

    @Override
    public void answered(RecordedRequest request, Answer answer) throws IOException {
      if (request.verb().isWrite() && responsesToLose > 0) {
        responsesToLose--;
        throw new IOException("the response was lost");
      }
    }
  }

  private static final class Schedule extends ShardHarness implements AutoCloseable {
    private final RandomGenerator random;
    private final Map<String, Network> networks = new HashMap<>();
    private int started;
    private int shards = 12;

    /** How long the next reconcile takes. */
    private Duration slow = Duration.ZERO;

    Schedule(long seed) {
      super(Simulation.random(seed), seed % 10 == 0 ? MANY : OBJECTS);
      this.random = simulation.random();
    }

    void run() {
      startOne();
      startOne();
      startOne();
      for (int turn = 0; turn < 12; turn++) {
        act();
        change("turn " + turn);
        simulation.advance(Duration.ofSeconds(1 + random.nextInt(40)));
        assertThat(violations).isEmpty();
      }
      if (alive().isEmpty()) {
        startOne();
      }
      processes.values().forEach(SimulatedProcess::thaw);
      slow = Duration.ZERO;
      change("last");
      awaitDone("last", WITHOUT_OWNER.plus(BALANCED));
      simulation.advance(BALANCED);
      Map<String, Integer> owned = owned(shards);
      int share = shards / alive().size();
      assertThat(owned).as("shares").hasSize(Math.min(shards, alive().size()));
      assertThat(owned.values()).allMatch(number -> number == share || number == share + 1);
    }

    private List<String> alive() {
      return processes.entrySet().stream()
          .filter(each -> each.getValue().isAlive())
          .map(Map.Entry::getKey)
          .toList();
    }

    private void startOne() {
      String replica = "r" + ++started;
      Network network = new Network(simulation);
      networks.put(replica, network);
      int number = shards;
      SimulatedProcess unused =
          start(
              replica,
              number,
              builder -> builder.stopTimeout(GRACE).shards(options(replica, number)),
              network);
    }

    private static ShardOptions options(String replica, int number) {
      Duration lease = Duration.ofSeconds(30);
      return shards(replica, number)
          .withElection(
              election -> election.withDurations(lease, lease.minus(GRACE), Duration.ofSeconds(5)));
    }

    /** A long step of the simulation, in which everything else goes on. */
    @Override
    void takeTime(String replica) {
      Duration time = slow;
      if (!time.isZero() && Objects.requireNonNull(processes.get(replica)).showRunningThreads()) {
        slow = Duration.ZERO;
        simulation.advance(time);
      }
    }

    private void act() {
      List<String> alive = alive();
      if (alive.size() < 3) {
        startOne();
        return;
      }
      String one = alive.get(random.nextInt(alive.size()));
      SimulatedProcess process = Objects.requireNonNull(processes.get(one));
      Network network = Objects.requireNonNull(networks.get(one));
      switch (random.nextInt(8)) {
        case 0 -> process.kill();
        case 1 -> process.stop();
        case 2 -> network.cutUntil = simulation.elapsed().plusSeconds(1 + random.nextInt(60));
        case 3 -> network.responsesToLose = 1 + random.nextInt(3);
        case 4 -> {
          process.freeze();
          simulation.schedule(process::thaw, Duration.ofSeconds(1 + random.nextInt(60)));
        }
        case 5 -> slow = Duration.ofSeconds(1 + random.nextInt(40));
        case 6 -> {
          if (alive.size() < 5) {
            startOne();
          }
        }
        default -> replaceAll();
      }
    }

    /** A rolling update to another number. */
    private void replaceAll() {
      shards = List.of(1, 6, 12).get(random.nextInt(3));
      for (String former : new ArrayList<>(alive())) {
        startOne();
        simulation.advance(Duration.ofSeconds(random.nextInt(10)));
        Objects.requireNonNull(processes.get(former)).stop();
      }
    }

    @Override
    public void close() {
      simulation.close();
    }
  }
}
