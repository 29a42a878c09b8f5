// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.webhook.migration.MigrationStep.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MigrationStepTest {

  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final Duration SETTLE = Duration.ofSeconds(10);

  private static final ResourceType TYPE =
      new ResourceType("example.com", "v1", "tools", "Tool", true);

  private final ManualScheduler scheduler = new ManualScheduler();
  private final FakeStorage server = new FakeStorage(scheduler);
  private MigrationStep step = step();

  private MigrationStep step() {
    return new MigrationStep("tools.example.com", server, StorageMigration.of(TYPE), scheduler);
  }

  /** Adds objects in v1 and makes v2 the storage version. */
  private void upgrade(int number) {
    for (int i = 0; i < number; i++) {
      server.add("tool-" + i);
    }
    server.setStorage("v2");
  }

  /** Runs rounds until the step waits for at least a minute. Returns the delays. */
  private List<Duration> runUntilIdle() throws InterruptedException {
    List<Duration> delays = new ArrayList<>();
    for (int round = 0; round < 10_000; round++) {
      StepDelay delay = step.run();
      Duration limit = delay.limit().orElseThrow();
      delays.add(limit);
      if (limit.compareTo(Duration.ofMinutes(5)) >= 0) {
        return delays;
      }
      scheduler.advance(limit);
    }
    throw new AssertionError("still busy: " + server.log);
  }

  private long count(String request) {
    return server.log.stream().filter(line -> line.startsWith(request)).count();
  }

  @Test
  void sendsOneRequestIfNothingIsStoredInAnOldVersion() throws InterruptedException {
    server.add("tool");
    assertThat(step.run()).isEqualTo(StepDelay.of(PERIOD));
    assertThat(server.log).containsExactly("definition");
    assertThat(step.isPending()).isFalse();
  }

  @Test
  void rewritesAllObjectsAndTrimsTheStoredVersions() throws InterruptedException {
    upgrade(7);
    runUntilIdle();
    assertThat(server.allIn("v2")).isTrue();
    assertThat(server.storedVersions()).containsExactly("v2");
    assertThat(count("rewrite")).isEqualTo(7);
    assertThat(count("list v2")).isEqualTo(1);
    assertThat(step.total(Outcome.REWRITTEN)).isEqualTo(7);
    assertThat(step.isPending()).isFalse();
    server.log.clear();
    scheduler.advance(PERIOD);
    step.run();
    assertThat(server.log).containsExactly("definition");
  }

  @Test
  void refusesToRewriteObjectsThatWouldLoseAField() throws InterruptedException {
    upgrade(3);
    server.removedField = Optional.of("spec.html of v1");
    runUntilIdle();
    assertThat(server.log).containsExactly("definition");
    assertThat(step.problem().orElseThrow())
        .contains("the API server would remove the field spec.html of v1");
    assertThat(step.isPending()).isTrue();
    server.removedField = Optional.empty();
    runUntilIdle();
    assertThat(server.allIn("v2")).isTrue();
    assertThat(step.problem()).isEmpty();
  }

  @Test
  void stopsWhenTheConversionIsSwitchedOff() throws InterruptedException {
    upgrade(350);
    server.before =
        () -> {
          if (count("rewrite") == 3) {
            server.removedField = Optional.of("spec.html of v1");
          }
        };
    runUntilIdle();
    assertThat(count("rewrite")).isLessThanOrEqualTo(100);
    assertThat(server.storedVersions()).containsExactly("v1", "v2");
    assertThat(step.problem()).isPresent();
  }

  @Test
  void trimsTheStoredVersionsOfATypeWithoutObjects() throws InterruptedException {
    upgrade(0);
    runUntilIdle();
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @Test
  void beginsOnlyWhenAllServersHaveSeenTheStorageVersion() throws InterruptedException {
    upgrade(1);
    assertThat(step.run()).isEqualTo(StepDelay.of(SETTLE));
    assertThat(server.log).containsExactly("definition");
  }

  @Test
  void keepsItsRate() throws InterruptedException {
    upgrade(3);
    assertThat(runUntilIdle()).filteredOn(Duration.ofMillis(50)::equals).hasSize(3);
  }

  @Test
  void restsAsLongAsTheServerTakes() throws InterruptedException {
    upgrade(3);
    server.latency = Duration.ofMillis(700);
    assertThat(runUntilIdle()).filteredOn(Duration.ofMillis(700)::equals).hasSize(3);
  }

  @Test
  void slowsDownWhenTheServerHasTooManyRequests() throws InterruptedException {
    upgrade(2);
    server.failNext("rewrite", 429, Duration.ofSeconds(7));
    List<Duration> delays = runUntilIdle();
    assertThat(delays).contains(Duration.ofSeconds(7));
    assertThat(delays)
        .filteredOn(delay -> delay.compareTo(Duration.ofMillis(90)) > 0)
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @Test
  void leavesObjectsAloneThatOthersHaveChangedOrDeleted() throws InterruptedException {
    upgrade(3);
    ObjectKey changed = ObjectKey.of("default", "tool-0");
    ObjectKey deleted = ObjectKey.of("default", "tool-1");
    server.before =
        () -> {
          if (server.log.contains("list v2") && server.objects.containsKey(deleted)) {
            server.touch(changed);
            server.objects.remove(deleted);
          }
        };
    runUntilIdle();
    assertThat(step.total(Outcome.CHANGED)).isEqualTo(2);
    assertThat(step.total(Outcome.REWRITTEN)).isEqualTo(1);
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 409, 422, 500}) // 409 comes from a webhook here
  void keepsTheStoredVersionsIfTheServerRejectsAnObject(int code) throws InterruptedException {
    upgrade(5);
    ObjectKey bad = ObjectKey.of("default", "tool-1");
    server.rejected.put(bad, code);
    List<Duration> delays = runUntilIdle();
    assertThat(delays.get(delays.size() - 1)).isEqualTo(MigrationStep.RETRY_FAILED);
    assertThat(server.storedVersions()).containsExactly("v1", "v2");
    assertThat(step.total(Outcome.REWRITTEN)).isEqualTo(4);
    assertThat(step.problem())
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("older versions remain", "1 failed"));
    server.rejected.clear();
    scheduler.advance(MigrationStep.RETRY_FAILED);
    runUntilIdle();
    assertThat(server.storedVersions()).containsExactly("v2");
    assertThat(step.problem()).isEmpty();
  }

  @Test
  void waitsForAServerThatIsOutOfReach() throws InterruptedException {
    upgrade(4);
    for (String request : List.of("definition", "list", "rewrite", "trim")) {
      server.loseNext(request);
      server.failNext(request, 503, Duration.ZERO);
      server.loseNext(request);
      server.failNext(request, 504, Duration.ZERO);
    }
    List<Duration> delays = runUntilIdle();
    assertThat(delays)
        .containsSequence(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    assertThat(server.allIn("v2")).isTrue();
    assertThat(server.storedVersions()).containsExactly("v2");
    assertThat(step.total(Outcome.FAILED)).isZero();
  }

  /** For example, because the webhook that converts it hangs. */
  @Test
  void goesOnWithTheOthersIfAnObjectGetsNoResponse() throws InterruptedException {
    upgrade(3);
    server.rejected.put(ObjectKey.of("default", "tool-1"), 0);
    runUntilIdle();
    assertThat(step.total(Outcome.REWRITTEN)).isEqualTo(2);
    assertThat(step.total(Outcome.FAILED)).isEqualTo(1);
    assertThat(server.storedVersions()).containsExactly("v1", "v2");
  }

  @Test
  void triesAgainLaterIfTheClientFails() throws InterruptedException {
    upgrade(1);
    server.before =
        () -> {
          throw new IllegalStateException("the lease was lost");
        };
    assertThat(step.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
    assertThat(step.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(2)));
    assertThat(step.problem()).contains("the lease was lost");
    server.before = () -> {};
    runUntilIdle();
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  /** A proxy's 404 says nothing of the object, which would lose fields if v1 were given up. */
  @Test
  void doesNotTakeThe404OfAProxyForADeletion() throws InterruptedException {
    upgrade(4);
    server.failNext("definition", 404, Duration.ZERO);
    step.run();
    assertThat(step.problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("failed on purpose"));
    server.failNext("rewrite", 404, Duration.ZERO);
    runUntilIdle();
    assertThat(server.allIn("v2")).isEqualTo(server.storedVersions().equals(List.of("v2")));
    assertThat(step.total(Outcome.FAILED)).isPositive();
  }

  @Test
  void reportsAProblemUntilItIsSolved() throws InterruptedException {
    upgrade(1);
    server.failNext("definition", 503, Duration.ZERO);
    step.run();
    assertThat(step.problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("failed on purpose"));
    runUntilIdle();
    assertThat(step.problem()).isEmpty();
  }

  @Test
  void startsAgainIfTheStorageVersionChanges() throws InterruptedException {
    upgrade(7);
    server.before =
        () -> {
          if (count("rewrite") == 4) {
            server.setStorage("v3");
          }
        };
    runUntilIdle();
    assertThat(server.allIn("v3")).isTrue();
    assertThat(server.storedVersions()).containsExactly("v3");
  }

  @Test
  void startsAgainIfTheStorageVersionHasChangedAndChangedBack() throws InterruptedException {
    upgrade(7);
    boolean[] flipped = {false};
    ObjectKey first = ObjectKey.of("default", "tool-0");
    server.before =
        () -> {
          if (count("rewrite") == 2 && !flipped[0]) {
            flipped[0] = true;
            server.setStorage("v1");
            server.touch(first);
            server.setStorage("v2");
          }
        };
    runUntilIdle();
    assertThat(server.allIn("v2")).isTrue();
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @Test
  void goesOnIfSomethingElseInTheDefinitionChanges() throws InterruptedException {
    upgrade(7);
    boolean[] changed = {false};
    server.before =
        () -> {
          if (!changed[0]
              && (count("rewrite") == 4 || count("trim") == 0 && count("rewrite") == 7)) {
            changed[0] = true;
            server.changeSpec();
          }
        };
    runUntilIdle();
    assertThat(count("rewrite")).isEqualTo(7);
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @Test
  void readsTheDefinitionAgainIfItChangesWhileItIsTrimmed() throws InterruptedException {
    upgrade(1);
    server.failNext("trim", 409, Duration.ZERO);
    runUntilIdle();
    assertThat(count("trim")).isEqualTo(2);
    assertThat(count("rewrite")).isEqualTo(1);
    assertThat(server.storedVersions()).containsExactly("v2");
  }

  @Test
  void doesNothingForADefinitionThatIsMissingOrBeingDeleted() throws InterruptedException {
    upgrade(1);
    server.usable = false;
    assertThat(step.run()).isEqualTo(StepDelay.of(PERIOD));
    server.usable = true;
    server.exists = false;
    assertThat(step.run()).isEqualTo(StepDelay.of(PERIOD));
    assertThat(server.log).containsExactly("definition", "definition");
  }

  @Test
  void endsIfTheDefinitionIsDeletedOrReplaced() throws InterruptedException {
    upgrade(250);
    server.before =
        () -> {
          if (count("rewrite") == 3) {
            server.replaceDefinition();
          } else if (count("rewrite") == 55) {
            server.exists = false;
          }
        };
    runUntilIdle();
    assertThat(count("rewrite")).isEqualTo(100);
    assertThat(count("trim")).isZero();
    assertThat(count("list")).isEqualTo(2);
  }

  /** Kills the migration after any number of rounds, and lets others write meanwhile. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void canBeInterruptedAtAnyPoint(long seed) throws InterruptedException {
    Random random = new Random(seed);
    upgrade(10);
    server.before =
        () -> {
          if (random.nextInt(4) == 0) {
            server.touch(server.add("tool-" + random.nextInt(30)));
          }
        };
    for (int life = 0; life < 20; life++) {
      step = step();
      for (int round = random.nextInt(12); round > 0; round--) {
        scheduler.advance(step.run().limit().orElseThrow());
        boolean trimmed = !server.storedVersions().contains("v1");
        assertThat(!trimmed || server.allIn("v2")).as("objects in v1 after a trim").isTrue();
      }
    }
    step = step();
    runUntilIdle();
    assertThat(server.allIn("v2")).isTrue();
    assertThat(server.storedVersions()).containsExactly("v2");
  }
}
