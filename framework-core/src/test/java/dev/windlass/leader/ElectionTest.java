// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Logs;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * How replicas get and lose the lease, on virtual time. Covers docs/reliability.md, H1 to H5, L1,
 * L2.
 */
final class ElectionTest extends ElectionHarness {

  @AutoClose private final Logs logs = Logs.of(LeaderElector.class);

  @Test
  void takesALeaseThatDoesNotExist() {
    electA();
    assertThat(lease.record().holder()).isEqualTo("a");
    assertThat(lease.record().duration()).isEqualTo(seconds(15));
    assertThat(lease.record().transitions()).isEqualTo(1);
    assertThat(a.heard).containsExactly("leads");
    assertThat(b.news.status().holder()).contains("a");
  }

  /** A line about the holder is about another replica, even if that one has the same identity. */
  @Test
  void namesTheHolderOnlyIfItIsAnotherReplica() {
    String line = "INFO The lease lease is held by another replica, a";
    a.step();
    assertThat(logs.lines()).containsExactly("INFO a is now the leader for the lease lease");
    b.step();
    assertThat(logs.lines()).last().isEqualTo(line);
    replica("a").step();
    assertThat(logs.lines()).last().isEqualTo(line);
    assertThat(logs.lines()).hasSize(3);
  }

  @Test
  void leadsForAsLongAsItRenews() {
    electA();
    pass(seconds(600));
    assertThat(a.heard).containsExactly("leads");
    assertThat(lease.record().transitions()).isEqualTo(1);
    assertThat(a.connection.requests).as("one write each 2 s").isBetween(295, 305);
    assertThat(b.connection.requests).as("one read each 2 to 4.4 s").isBetween(170, 210);
  }

  /** The times of docs/guides/leader-election.md: up to 2 s + 4.4 s + 15 s + 4.4 s. */
  @Test
  void takesOverWithinTheDocumentedTimeAfterACrash() {
    List<Long> millis = new ArrayList<>();
    for (int seed = 0; seed < 300; seed++) {
      FakeLease empty = new FakeLease();
      Replica leader = new Replica("leader", empty, OPTIONS, time, time.clock(), seed);
      Replica other = new Replica("other", empty, OPTIONS, time, time.clock(), seed + 1000);
      replicas.clear();
      replicas.add(leader);
      pass(TICK);
      replicas.add(other);
      pass(seconds(20).plusMillis(100L * (seed % 40)));
      assertThat(leader.leads()).isTrue();
      long crash = time.nanoTime();
      while (!other.leads()) {
        pass(TICK, leader);
      }
      millis.add(Duration.ofNanos(time.nanoTime() - crash).toMillis());
    }
    assertThat(millis).allMatch(each -> each >= 13_000 && each <= 23_800 + TICK.toMillis());
    assertThat(millis).anyMatch(each -> each < 15_000).anyMatch(each -> each > 20_000);
    assertThat(millis.stream().mapToLong(each -> each).average().orElseThrow())
        .isBetween(16_500.0, 18_500.0);
  }

  /** Candidates that started together must not look together for ever. */
  @Test
  void looksAtRandomTimes() {
    electA();
    List<Duration> pauses = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Duration pause = b.step().limit().orElseThrow();
      pauses.add(pause);
      time.advance(pause);
      a.step();
    }
    assertThat(pauses).allMatch(p -> p.compareTo(seconds(2)) >= 0 && p.toMillis() <= 4400);
    assertThat(pauses).anyMatch(p -> p.toMillis() < 2500).anyMatch(p -> p.toMillis() > 3900);
  }

  @Test
  void doesNotLeadBeforeTheServerHasAccepted() {
    a.connection.fault = Fault.HELD;
    a.step();
    a.connection.deliver(); // there is no lease
    a.step(); // so it is created
    assertThat(lease.record()).isEqualTo(LeaseRecord.NONE);
    assertThat(a.fence.holds()).isFalse();
    assertThat(a.heard).isEmpty();
    a.connection.deliver();
    assertThat(lease.record().holder()).as("is accepted").isEqualTo("a");
    assertThat(a.fence.holds()).isFalse();
    a.step();
    assertThat(a.leads()).isTrue();
  }

  @Test
  void doesNotLeadIfAnotherOneWasFaster() {
    a.connection.fault = Fault.HELD;
    b.connection.fault = Fault.HELD;
    for (Replica replica : replicas) {
      replica.step();
      replica.connection.deliver();
      replica.step();
    }
    b.connection.deliver();
    a.connection.deliver();
    b.step();
    a.step();
    assertThat(b.leads()).isTrue();
    assertThat(a.leads()).isFalse();
    assertThat(a.heard).isEmpty();
    assertThat(a.news.status().problem()).as("that is no trouble").isEmpty();
  }

  /** A restarted process has another suffix, so it treats its old record as another replica's. */
  @Test
  void waitsForTheRecordOfItsFormerLife() {
    electA();
    replicas.remove(a);
    Replica reborn = replica("a"); // even if chance gave it the same suffix
    pass(Duration.ofMillis(14_900));
    assertThat(reborn.leads() || b.leads()).isFalse();
    pass(seconds(6));
    assertThat(reborn.leads() || b.leads()).isTrue();
  }

  @Test
  void takesItsOwnIdentityForAnothersIfItHasNotWrittenIt() {
    electA();
    Replica twin = replica("a");
    pass(seconds(60));
    assertThat(twin.leads()).isFalse();
    assertThat(a.leads()).isTrue();
    lease.heldBy("a", seconds(15));
    pass(seconds(3));
    assertThat(a.heard)
        .containsExactly("leads", "the lease lease was lost: it is held by another replica, a");
  }

  @Test
  void findsItsFenceClosedAfterAFreeze() {
    electA();
    pass(seconds(60), a);
    assertThat(b.leads()).isTrue();
    assertThat(a.fence.holds()).isFalse();
    assertThatThrownBy(a.fence::check)
        .isInstanceOf(LeadershipLostException.class)
        .hasMessage(
            "this replica is not the leader for the lease lease: it was not renewed within 10 s");
    a.step();
    assertThat(a.heard)
        .containsExactly("leads", "the lease lease was lost: it was not renewed within 10 s");
    assertThat(a.news.status().leading()).isFalse();
  }

  @Test
  void doesNotCountAnAnswerThatComesAfterTheDeadline() {
    electA();
    a.connection.fault = Fault.HELD;
    pass(seconds(2)); // a renewal is under way
    a.connection.deliver();
    pass(seconds(10), a);
    assertThat(a.fence.holds()).isFalse();
    a.step();
    assertThat(a.leads()).isFalse();
    assertThat(a.heard).hasSize(2);
  }

  /** The same of a candidate: it holds the lease then, and makes sure for how long. */
  @Test
  void renewsWhatItWasGivenTooLate() {
    a.connection.fault = Fault.HELD;
    a.step();
    a.connection.deliver();
    a.step();
    a.connection.deliver();
    time.advance(seconds(11));
    a.connection.fault = Fault.NONE;
    long begun = time.nanoTime();
    a.step();
    assertThat(a.leads()).isTrue();
    assertThat(a.fence.left()).isEqualTo(seconds(10).minusNanos(time.nanoTime() - begun));
  }

  /** What counts is when the renewal was begun: the server may have written it at once. */
  @Test
  void leadsFromTheStartOfARenewal() {
    electA();
    a.connection.fault = Fault.HELD;
    pass(seconds(2));
    assertThat(a.fence.left()).isEqualTo(seconds(8));
    time.advance(seconds(4));
    a.connection.deliver();
    a.step();
    assertThat(a.fence.left()).isEqualTo(seconds(6));
  }

  /** The renew deadline leaves time for two requests that hang. */
  @Test
  void givesARequestUpThatHangs() {
    electA();
    a.connection.fault = Fault.SWALLOWED;
    pass(Duration.ofMillis(7_100));
    assertThat(a.connection.requests).isEqualTo(3);
    assertThat(a.news.status().problem()).contains("the server has not answered within 5 s");
    assertThat(a.leads()).isTrue();
    a.connection.fault = Fault.NONE;
    pass(Duration.ofMillis(2_100)); // the next attempt
    assertThat(a.leads()).isTrue();
    assertThat(a.news.status().problem()).isEmpty();
  }

  @Test
  void losesAtTheDeadlineWhateverTheServerDoes() {
    electA();
    a.connection.fault = Fault.SWALLOWED;
    pass(Duration.ofMillis(9_900));
    assertThat(a.leads()).isTrue();
    pass(TICK);
    assertThat(a.leads()).isFalse();
    assertThat(a.heard)
        .containsExactly(
            "leads",
            "the lease lease was lost: it was not renewed within 10 s; the server has not"
                + " answered within 5 s");
  }

  /** After a freeze, say: no request has failed yet, but the only one is not answered. */
  @Test
  void saysThatTheServerHasNotAnsweredTheRequestThatItGivesUp() {
    electA();
    pass(seconds(7));
    a.connection.fault = Fault.SWALLOWED;
    time.advance(seconds(2));
    a.step(); // begins to renew
    time.advance(seconds(8));
    assertThat(a.fence.holds()).isFalse();
    a.step();
    assertThat(a.heard.get(1)).endsWith("within 10 s; the server has not answered within 8 s");
    a.election.leave(true);
    a.step();
    assertThat(a.election.gone()).as("it can't be given back to a server that hangs").isDone();
  }

  /** Reads that work say nothing about writes: without that right no line of the log is true. */
  @Test
  void saysOnceThatItCantWriteWhatItCanRead() {
    a.connection.fault = Fault.READ_ONLY;
    pass(seconds(110), b);
    assertThat(loud(logs))
        .singleElement()
        .asString()
        .contains("Failed to access the lease lease: writing it failed: ", "403 no");
    assertThat(a.news.status().problem()).isPresent();
    pass(seconds(60), b);
    assertThat(loud(logs)).as("every two minutes").hasSize(2);
    a.connection.fault = Fault.NONE;
    pass(seconds(5), b);
    assertThat(a.leads()).isTrue();
    assertThat(loud(logs)).contains("INFO The lease lease is accessible again");
  }

  private static List<String> loud(Logs logs) {
    return logs.lines().stream().filter(line -> !line.startsWith("DEBUG")).toList();
  }

  /** The pauses alone bring it to its deadline; the test above comes by each 100 ms. */
  @Test
  void wakesUpForItsDeadline() {
    electA();
    a.connection.fault = Fault.SWALLOWED;
    while (a.leads()) {
      StepDelay pause = a.step();
      time.advance(pause.limit().orElseThrow());
      a.step();
    }
    assertThat(Duration.ofNanos(time.nanoTime())).isEqualTo(seconds(10));
    assertThat(a.heard).hasSize(2);
    assertThat(a.step()).isEqualTo(StepDelay.UNTIL_WOKEN);
  }

  @Test
  void doesNotCareAboutWallClocks() {
    replicas.clear();
    Instant[] now = {Instant.parse("2026-03-29T01:59:59Z")};
    Clock jumping =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now[0];
          }
        };
    Replica first = replica("first", jumping);
    Replica ahead = replica("ahead", Clock.offset(jumping, Duration.ofHours(10)));
    first.step();
    for (Duration jump :
        List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-2), Duration.ofDays(-400))) {
      now[0] = now[0].plus(jump);
      pass(seconds(60));
    }
    assertThat(first.heard).containsExactly("leads");
    assertThat(ahead.heard).isEmpty();
  }

  @Test
  void writesALeaseAgainThatWasDeleted() {
    electA();
    pass(seconds(1), b);
    lease.delete();
    pass(seconds(2), b);
    assertThat(lease.record().holder()).isEqualTo("a");
    pass(seconds(60));
    assertThat(a.heard).containsExactly("leads");
  }

  @Test
  void losesALeaseThatWasDeletedAndTakenByAnother() {
    electA();
    lease.delete();
    lease.heldBy("b", seconds(15));
    pass(seconds(2), b);
    assertThat(a.heard)
        .containsExactly("leads", "the lease lease was lost: it is held by another replica, b");
    assertThat(a.fence.holds()).isFalse();
  }

  /** A slow or disconnected leader does not notice that its Lease is gone, and still acts. */
  @Test
  void waitsOutTheHolderOfALeaseThatWasDeleted() {
    electA();
    pass(seconds(2));
    lease.delete();
    pass(seconds(14), a);
    assertThat(b.leads()).as("the last renewal was seen less than 15 s ago").isFalse();
    assertThat(lease.record()).isEqualTo(LeaseRecord.NONE);
    pass(seconds(6), a);
    assertThat(b.leads()).isTrue();
  }

  /** As long as the holder says, although the record that says it is gone. */
  @Test
  void waitsAsLongAsTheHolderOfADeletedLeaseHadSaid() {
    lease.heldBy("old", seconds(60));
    pass(seconds(1));
    lease.delete();
    pass(seconds(58));
    assertThat(a.leads() || b.leads()).isFalse();
    pass(seconds(6));
    assertThat(a.leads() || b.leads()).isTrue();
  }

  /** A new holder restarts the wait, and an orderly release ends it. */
  @Test
  void takesALeaseAtOnceThatWasDeletedAndThenReleased() {
    lease.heldBy("old", seconds(60));
    pass(seconds(1));
    lease.delete();
    pass(seconds(3));
    lease.heldBy("", seconds(1));
    pass(seconds(5));
    assertThat(a.leads() || b.leads()).isTrue();
  }

  @Test
  void losesAFenceThatClosesWhileARenewalIsAccepted() {
    electA();
    a.connection.fault = Fault.HELD;
    pass(seconds(2));
    a.connection.fault = Fault.NONE;
    a.connection.deliver();
    time.advance(seconds(8).minusNanos(1));
    a.connection.whenAnswered = () -> time.advance(Duration.ofNanos(1));
    a.step();
    assertThat(a.leads()).isFalse();
    assertThat(a.fence.holds()).isFalse();
    assertThat(a.heard)
        .containsExactly("leads", "the lease lease was lost: it was not renewed within 10 s");
  }

  @Test
  void triesAgainWhenSomebodyCreatesWhatItWantedToCreateAgain() {
    electA();
    lease.delete();
    a.connection.fault = Fault.HELD;
    pass(seconds(2), b);
    a.connection.deliver(); // there is none to renew
    a.step();
    a.connection.deliver(); // indeed
    a.step();
    lease.heldBy("", seconds(1));
    a.connection.deliver();
    a.connection.fault = Fault.NONE;
    pass(seconds(3), b);
    assertThat(lease.record().holder()).isEqualTo("a");
  }

  /** An edit that empties the holder does not end the term; another leader's term does. */
  @Test
  void tellsEditsByHandFromOtherLeaders() {
    electA();
    pass(TICK);
    lease.edit(
        r -> new LeaseRecord("", r.duration(), r.acquired(), r.renewed(), r.transitions(), ""));
    pass(seconds(2), b);
    assertThat(a.heard).containsExactly("leads");
    lease.edit(
        r ->
            new LeaseRecord(
                r.holder(), seconds(1), r.acquired(), r.renewed(), r.transitions(), ""));
    pass(seconds(2), b);
    assertThat(lease.record().duration()).isEqualTo(seconds(15));
    assertThat(a.heard).containsExactly("leads");
    lease.edit(
        r -> new LeaseRecord("", r.duration(), r.acquired(), r.renewed(), r.transitions() + 2, ""));
    pass(seconds(2), b);
    assertThat(a.heard).hasSize(2);
  }

  /** A duration edited to a lower value must not let other replicas lead too early. */
  @Test
  void waitsNoLessThanItsOwnLeaseDuration() {
    electA();
    lease.edit(
        r ->
            new LeaseRecord(
                r.holder(), seconds(1), r.acquired(), r.renewed(), r.transitions(), ""));
    pass(seconds(14), a);
    assertThat(b.leads()).isFalse();
    pass(seconds(10), a);
    assertThat(b.leads()).isTrue();
  }

  /** As client-go does, which does not say so. */
  @Test
  void saysEveryTwoMinutesWhoDoesNotRenewTheLeaseAndUntilWhenItWaits() {
    pass(seconds(600), a, b);
    lease.heldBy("old", Duration.ofMinutes(6));
    replicas.remove(b);
    pass(seconds(365));
    assertThat(a.leads()).isTrue();
    assertThat(logs.lines())
        .hasSize(4)
        .startsWith("INFO The lease lease is held by another replica, old")
        .satisfies(
            lines -> {
              for (int minutes = 2; minutes <= 4; minutes += 2) {
                assertThat(lines.get(minutes / 2))
                    .matches(
                        "INFO Waiting for the lease lease: old has not renewed it for "
                            + minutes
                            + " min( [1-4] s)?; acquiring it in "
                            + (5 - minutes)
                            + " min 5\\d s unless it is renewed");
              }
            });
  }

  /** A healthy leader is no news. */
  @Test
  void saysNothingMoreAboutAHolderThatRenewsTheLease() {
    electA();
    try (Logs later = Logs.of(LeaderElector.class)) {
      pass(seconds(600));
      assertThat(later.lines()).isEmpty();
    }
  }

  /** A number that another program has written, and the largest that a Lease can have. */
  @Test
  void takesALeaseWhoseNumberOfTransitionsIsTheLargest() {
    lease.edit(r -> new LeaseRecord("", seconds(1), null, null, Integer.MAX_VALUE, ""));
    electA();
    assertThat(lease.record().transitions()).isZero();
    pass(seconds(60));
    assertThat(a.heard).containsExactly("leads");
  }

  @Test
  void waitsAsLongAsTheHolderSays() {
    lease.heldBy("old", seconds(60));
    pass(seconds(59));
    assertThat(a.leads() || b.leads()).isFalse();
    pass(seconds(6));
    assertThat(a.leads() || b.leads()).isTrue();
  }

  /** A replica that has its share of the leases asks nothing about the others. */
  @Test
  void sendsNoRequestWhileItDoesNotCompete() {
    a.mayClaim = false;
    a.step();
    pass(seconds(60), b);
    assertThat(a.connection.requests).isZero();
    a.mayClaim = true;
    a.step();
    assertThat(a.leads()).isTrue();
  }

  @Test
  void yieldsTheLeaseAndClaimsItWhenItsTurnComes() {
    electA();
    LeaseFence.Action request = a.fence.pass(() -> {});
    a.election.handOver();
    a.mayClaim = false;
    pass(seconds(1), b);
    assertThat(a.leads()).isFalse();
    assertThat(lease.record().holder()).as("a request under it has not ended").isEqualTo("a");
    request.ended();
    pass(seconds(5));
    assertThat(a.leads()).isFalse();
    assertThat(a.heard).hasSize(2).last().asString().contains("another replica takes its turn");
    assertThat(b.leads()).as("without waiting for the lease duration").isTrue();
    b.election.handOver();
    b.mayClaim = false;
    a.mayClaim = true;
    pass(seconds(5));
    assertThat(a.leads()).isTrue();
  }

  @Test
  void stopsWhileItYields() {
    electA();
    LeaseFence.Action request = a.fence.pass(() -> {});
    a.election.handOver();
    a.step();
    a.election.leave(true);
    a.step();
    assertThat(a.election.gone()).isNotDone();
    request.ended();
    a.step();
    assertThat(a.election.gone()).isCompletedWithValue(true);
    assertThat(lease.record().holder()).isEmpty();
  }

  @Test
  void givesTheLeaseBackToARivalWithoutHavingLed() {
    a.rival = CompletableFuture.completedFuture(Optional.of("six others"));
    a.step();
    assertThat(lease.record().holder()).isEmpty();
    assertThat(a.heard).isEmpty();
    assertThat(a.fence.holds()).isFalse();
    assertThat(logs.lines()).contains("INFO a gives the lease lease back: six others");
    a.rival = CompletableFuture.completedFuture(Optional.empty());
    pass(seconds(5), b);
    assertThat(a.leads()).isTrue();
  }

  /** The server may take its time, or fail. */
  @Test
  void doesNotLeadBeforeItKnowsThatThereIsNoRival() {
    a.rival = new CompletableFuture<>();
    a.step();
    assertThat(lease.record().holder()).isEqualTo("a");
    assertThat(a.fence.holds()).isFalse();
    a.rival.completeExceptionally(new IOException("503 no"));
    a.step();
    assertThat(a.fence.holds()).isFalse();
    assertThat(a.news.status().problem()).hasValueSatisfying(p -> assertThat(p).contains("503"));
    a.rival = CompletableFuture.completedFuture(Optional.empty());
    pass(seconds(5), b);
    assertThat(a.leads()).isTrue();
  }

  /**
   * Otherwise, it would wait for another lease duration after a watch has shown the last change.
   */
  @Test
  void countsTheLeaseDurationFromWhatAWatchHasShown() {
    lease.heldBy("gone", seconds(15));
    a.mayClaim = false;
    a.watched.put(lease.record().version(), time.nanoTime());
    pass(seconds(15), a, b);
    a.mayClaim = true;
    a.step();
    assertThat(a.leads()).isTrue();
    assertThat(b.leads()).isFalse();
  }
}
