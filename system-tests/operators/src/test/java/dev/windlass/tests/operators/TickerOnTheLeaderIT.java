// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.edit;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Runs;
import dev.windlass.examples.tenant.Tenant;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The external events: every ten seconds for what is ready, on the replica that leads. */
final class TickerOnTheLeaderIT extends OnRealServer {

  private static final String READY = "r4-ready";
  private static final String BAD = "r4-bad";

  private static final int TICKS = 2;

  /** Two periods of ten seconds; a run may begin a little later after its tick than the next. */
  private static final Duration PERIODS = Duration.ofSeconds(17);

  private final Runs others = new Runs();

  @Test
  void reconcilesWhatIsReadyEveryTenSecondsOnTheLeader() throws Exception {
    World world = new World(kubectl);
    Manager leader = closing(candidate());
    start(leader, TenantEntry::controller);
    Manager standby = closing(candidate());
    TenantEntry.controller(standby).listener(others).register(standby);
    standby.start();
    kubectl.resource(TenantEntry.sample(READY, "r4-")).create();
    world.awaitReady(READY);
    Tenant robots = TenantEntry.sample(BAD, "r4-bad-");
    Objects.requireNonNull(robots.getSpec().getAdmin()).setKind("Robot");
    kubectl.resource(robots).create();
    world.awaitFailed(BAD);
    awaitQuiet();
    awaitTick(runs.of(READY));
    int first = runs.times(READY).size();
    long failed = runs.of(BAD);
    List<String> writes = requests.writes();

    for (int i = 0; i < TICKS; i++) {
      awaitTick(first + i);
    }

    List<Long> times = runs.times(READY);
    assertThat(Duration.ofNanos(times.get(first + TICKS - 1) - times.get(first - 1)))
        .isBetween(PERIODS, PERIODS.multipliedBy(2));
    assertThat(runs.of(BAD)).as("not ready, and so not asked for").isEqualTo(failed);
    assertThat(requests.writes())
        .filteredOn(write -> !write.contains("leases"))
        .isEqualTo(writes.stream().filter(write -> !write.contains("leases")).toList());
    assertThat(others.keys()).as("the standby").isEmpty();

    // It stops with the manager, and the other one takes over.
    assertThat(leader.stop()).isTrue();
    assertThat(leader.failure()).isEmpty();
    long last = runs.of(READY);
    eventually().until(() -> others.of(READY) > 0 && others.of(BAD) > 0);
    assertThat(runs.of(READY)).isEqualTo(last);
    assertThat(standby.stop()).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("external-events", "runner");
    cleanUp(world);
  }

  private Manager candidate() {
    return Manager.builder()
        .client(operatorClient())
        .leaderElection(LeaderElectionOptions.of("r4").withNamespace(namespace))
        .build();
  }

  /** What the creation led to is over: the next run will be due to a tick. */
  private void awaitQuiet() {
    eventually()
        .until(
            () -> {
              List<Long> times = runs.times(READY);
              long last = times.get(times.size() - 1);
              return System.nanoTime() - last > Duration.ofSeconds(5).toNanos();
            });
  }

  private void awaitTick(long before) {
    eventually().until(() -> runs.of(READY) > before);
  }

  /** Nobody runs who takes the finalizers off. */
  private static void cleanUp(World world) {
    for (String name : List.of(READY, BAD)) {
      edit(
          world.kubectl().resources(Tenant.class).withName(name),
          tenant -> tenant.getMetadata().setFinalizers(List.of()));
      world.delete(name);
    }
  }
}
