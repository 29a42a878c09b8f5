// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sequences of two replicas, a and b, that keep each rule or break it. */
final class OwnershipCheckerTest {

  private final Violations violations = new Violations();
  private final Shown a = new Shown();
  private final Shown b = new Shown();
  private Duration now = Duration.ZERO;
  private final OwnershipChecker checker = new OwnershipChecker(violations, () -> now);

  /** What a replica shows, as a sequence sets it. */
  private static final class Shown implements OwnershipChecker.Replica {
    private int term;
    private int queued;
    private Set<String> cached = Set.of();

    @Override
    public int term() {
      return term;
    }

    @Override
    public int queued() {
      return queued;
    }

    @Override
    public Set<String> cached() {
      return cached;
    }
  }

  @BeforeEach
  void elect() {
    checker.started("a", a);
    checker.started("b", b);
    acquires("a", a, 1);
  }

  private void acquires(String name, Shown shown, int term) {
    checker.leased(name);
    shown.term = term;
    checker.look();
  }

  /** Ends a's term without a release: its fence closes, and after the lease duration b leads. */
  private void isReplaced() {
    a.term = 0;
    passes(15);
    acquires("b", b, 1);
  }

  private void passes(long seconds) {
    now = now.plusSeconds(seconds);
    checker.look();
  }

  private void isKept() {
    assertThat(violations.found()).isEmpty();
  }

  private void isBroken(String message) {
    assertThat(violations.found()).hasSize(1).first().asString().contains("P15: ", message);
  }

  private void reconciles(String name, String key) {
    checker.begins(name, key);
    checker.wrote(name, key, "PATCH " + key);
    checker.ends(name, key);
  }

  @Test
  void acceptsTermsThatDoNotOverlap() {
    reconciles("a", "w0");
    a.term = 0;
    checker.leased("");
    passes(2);
    acquires("b", b, 1);
    reconciles("b", "w0");
    isReplaced();
    reconciles("b", "w1");
    isKept();
  }

  @Test
  void rejectsAWriteOfTheFormerOwner() {
    checker.begins("a", "w0");
    isReplaced();
    checker.wrote("a", "w0", "PATCH w0");
    isBroken("a wrote w0: PATCH w0; the lease belongs to b since 15 s");
  }

  @Test
  void acceptsAFormerReconcileThatNoLongerWrites() {
    checker.begins("a", "w0");
    isReplaced();
    reconciles("b", "w0");
    checker.ends("a", "w0");
    isKept();
  }

  @Test
  void rejectsAReleaseBeforeTheFenceHasClosed() {
    checker.leased("");
    isBroken("the fence of a (in term 1 since 0 s) is open; the lease belongs to nobody");
  }

  @Test
  void rejectsAWriteAfterTheLastReconcile() {
    reconciles("a", "w0");
    checker.wrote("a", "w0", "PATCH w0");
    isBroken("a (in term 1 since 0 s) wrote w0 during []: PATCH w0");
  }

  @Test
  void rejectsAReleaseDuringAReconcile() {
    checker.begins("a", "w0");
    a.term = 0;
    checker.leased("");
    isBroken("released the lease during [the reconcile of w0 since 0 s in term 1]");
  }

  @Test
  void rejectsAReconcileOnAReplicaThatDoesNotLead() {
    checker.begins("b", "w0");
    isBroken("b (after term 0 since 0 s) begins to reconcile w0");
  }

  @Test
  void rejectsAReconcileAfterTheLocalDeadline() {
    a.term = 0;
    checker.begins("a", "w0");
    isBroken("a (after term 1 since 0 s) begins to reconcile w0");
  }

  @Test
  void rejectsANewTermDuringAReconcileOfTheOldOne() {
    checker.begins("a", "w0");
    a.term = 0;
    checker.look();
    acquires("a", a, 2);
    checker.begins("a", "w1");
    isBroken("begins to reconcile w1 during the reconcile of w0 since 0 s in term 1");
  }

  @Test
  void rejectsAReconcileBeforeAllObjectsAreQueued() {
    b.cached = Set.of("w0", "w1", "w2");
    isReplaced();
    b.queued = 1;
    checker.begins("b", "w0");
    isBroken("b (in term 1 since 15 s) begins to reconcile w0 with 2 keys instead of [w0, w1, w2]");
  }

  @Test
  void expectsNoObjectThatWasDeletedSinceTheElection() {
    b.cached = Set.of("w0", "w1", "w2");
    isReplaced();
    b.cached = Set.of("w0", "w3");
    checker.begins("b", "w0");
    isKept();
  }

  @Test
  void findsWhatTheNewOwnerHasNotReconciled() {
    reconciles("a", "w0");
    isReplaced();
    reconciles("b", "w1");
    assertThat(checker.unreconciled(List.of("w0", "w1"))).containsExactly("w0");
  }

  @Test
  void rejectsAKeyThatStaysQueuedAfterALoss() {
    a.queued = 1;
    a.term = 0;
    checker.look();
    isKept();
    passes(1);
    isBroken("1 keys are queued on a (after term 1 since 0 s), which does not lead");
  }

  @Test
  void allowsQueuedKeysWhileAReconcileOfTheTermRuns() {
    checker.begins("a", "w0");
    a.queued = 1;
    isReplaced();
    a.queued = 0;
    checker.ends("a", "w0");
    passes(1);
    isKept();
  }
}
