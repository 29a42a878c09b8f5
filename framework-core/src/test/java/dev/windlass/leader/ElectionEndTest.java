// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.FakeLease.Fault;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the lease after failures, and at the end. */
final class ElectionEndTest extends ElectionHarness {

  @Test
  void recognisesWhatItWroteThoughTheAnswerGotLost() {
    electA();
    a.connection.fault = Fault.ANSWER_LOST;
    pass(seconds(2)); // renewed, unheard
    a.connection.fault = Fault.NONE;
    pass(seconds(60));
    assertThat(a.heard).containsExactly("leads");
    assertThat(lease.record().transitions()).isEqualTo(1);
  }

  /** All replicas lose the server for five minutes (docs/reliability.md, bug 31). */
  @Test
  void electsALeaderWithin30SecondsOfAnOutage() {
    electA();
    for (Replica replica : replicas) {
      replica.connection.fault = Fault.REFUSED;
    }
    pass(seconds(150));
    assertThat(a.heard).hasSize(2);
    a.election.standAgain(); // long before the end: then both have failed as candidates
    pass(seconds(150));
    assertThat(b.news.status().problem()).contains("reading it failed: 503 no");
    for (Replica replica : replicas) {
      replica.connection.fault = Fault.NONE;
    }
    pass(seconds(30));
    assertThat(replicas.stream().filter(Replica::leads).count()).isEqualTo(1);
  }

  private static void leave(Replica replica) {
    replica.election.leave(true);
    replica.step();
    assertThat(replica.election.gone()).isCompletedWithValue(true);
  }

  private void loseByAnOutageOf17s(Fault last) {
    electA();
    replicas.remove(b);
    a.connection.fault = last;
    pass(seconds(2));
    a.connection.fault = Fault.REFUSED;
    pass(seconds(11));
    assertThat(a.heard).hasSize(2);
    a.election.standAgain();
    pass(seconds(4));
    a.connection.fault = Fault.NONE;
  }

  /** Nobody can have led since. A new process, even of the same name, waits (ElectionTest). */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"REFUSED", "ANSWER_LOST"})
  void takesItsOwnLeaseAtOnceAfterAnOutage(Fault last) {
    loseByAnOutageOf17s(last);
    pass(Duration.ofMillis(4_500));
    assertThat(a.leads()).isTrue();
    assertThat(a.news.status().terms()).isEqualTo(2);
  }

  /** Somebody may have restored what another leader had overwritten. */
  @Test
  void waitsForItsOwnLeaseIfItWasWrittenSince() {
    loseByAnOutageOf17s(Fault.REFUSED);
    lease.edit(record -> record);
    pass(seconds(7)); // 7 s before, it lost the lease
    assertThat(a.leads()).isFalse();
    pass(seconds(6));
    assertThat(a.leads()).isTrue();
  }

  /** Another leader may have held what is no more. */
  @Test
  void waitsAfterItsTermIfTheLeaseIsDeleted() {
    loseByAnOutageOf17s(Fault.REFUSED);
    lease.delete();
    pass(seconds(7)); // 7 s before, it lost the lease
    assertThat(a.leads()).isFalse();
    pass(seconds(6));
    assertThat(a.leads()).isTrue();
  }

  @Test
  void waitsForTheRequestsOfItsFormerTerm() {
    electA();
    Fence.Action request = a.fence.pass(() -> {});
    loseByAnOutageOf17s(Fault.REFUSED);
    pass(seconds(5));
    assertThat(a.leads()).isFalse();
    request.ended();
    pass(Duration.ofMillis(4_500));
    assertThat(a.leads()).isTrue();
  }

  @Test
  void restsAfterALossUntilItIsToldToStandAgain() {
    electA();
    lease.edit(r -> LeaseRecord.NONE);
    lease.heldBy("c", seconds(1));
    pass(seconds(2));
    int requests = a.connection.requests;
    pass(seconds(60));
    assertThat(a.connection.requests).isEqualTo(requests);
    b.election.leave(true);
    pass(TICK);
    assertThat(lease.record().isFree()).isTrue();
    a.election.standAgain();
    a.step();
    assertThat(a.leads()).isTrue();
    assertThat(a.news.status().terms()).isEqualTo(2);
    assertThat(a.heard).hasSize(3);
  }

  /** Log lines continue after a problem: "...; it expires within 15 s". */
  @Test
  void problemsHaveNoFullStop() {
    a.news.problem("the token may have expired.", null);
    assertThat(a.news.status().problem()).contains("the token may have expired");
  }

  @Test
  void givesTheLeaseBackAtTheEnd() {
    electA();
    pass(seconds(1));
    leave(a);
    assertThat(lease.record().holder()).isEmpty();
    assertThat(lease.record().duration()).isEqualTo(seconds(1));
    assertThat(a.fence.holds()).isFalse();
    assertThat(a.heard)
        .containsExactly("leads", "the lease lease is given up, because the elector stops");
    pass(seconds(5));
    assertThat(b.leads()).isTrue();
    assertThat(a.step()).isEqualTo(StepDelay.UNTIL_WOKEN);
  }

  @Test
  void givesNothingBackThatIsNotItsOwn() {
    electA();
    leave(b);
    lease.heldBy("c", seconds(15));
    leave(a);
    assertThat(lease.record().holder()).isEqualTo("c");
  }

  /** What it wrote last and heard nothing of must not keep others waiting. */
  @Test
  void givesBackWhatWasOnItsWayWhenItLeft() {
    a.connection.fault = Fault.HELD;
    a.step();
    a.connection.deliver();
    a.step(); // the claim is under way
    a.election.leave(true);
    a.step();
    assertThat(a.election.gone()).isNotDone();
    a.connection.fault = Fault.NONE;
    a.connection.deliver();
    a.step();
    assertThat(a.heard).isEmpty();
    assertThat(lease.written).containsExactly("a", "");
    assertThat(a.election.gone()).isCompletedWithValue(true);
  }

  /** Those that passed the fence in time, such as writes that nobody waits for any longer. */
  @Test
  void givesTheLeaseBackWhenTheRequestsHaveEnded() {
    electA();
    Fence.Action request = a.fence.pass(() -> {});
    a.election.leave(true);
    pass(seconds(1), b);
    assertThat(a.fence.holds()).as("for further requests").isFalse();
    assertThat(lease.record().holder()).isEqualTo("a");
    request.ended();
    a.step();
    assertThat(a.election.gone()).isCompletedWithValue(true);
    assertThat(lease.record().isFree()).isTrue();
  }

  /** Then the stop has decided that it can't wait any longer. */
  @Test
  void keepsTheLeaseIfTheRequestsDoNotEnd() {
    electA();
    Fence.Action request = a.fence.pass(() -> {});
    a.election.leave(true);
    a.step();
    a.election.leave(false);
    a.step();
    assertThat(a.election.gone()).isCompletedWithValue(true);
    request.ended();
    a.step();
    assertThat(lease.record().holder()).isEqualTo("a");
  }

  /** A replica that stops must not acquire a lease under which it starts nothing. */
  @Test
  void leavesTheCompetitionUnlessItLeads() {
    electA();
    a.election.withdraw(true);
    b.election.withdraw(true);
    pass(seconds(60));
    assertThat(a.leads()).isTrue();
    assertThat(b.election.gone()).isCompletedWithValue(true);
    a.election.leave(true);
    pass(seconds(60));
    assertThat(lease.record().isFree()).isTrue();
    assertThat(b.heard).isEmpty();
  }

  @Test
  void givesBackWhatItClaimedBeforeItLeftTheCompetition() {
    a.connection.fault = Fault.HELD;
    a.step();
    a.connection.deliver();
    a.step(); // the claim is under way
    a.election.withdraw(true);
    a.step();
    a.connection.fault = Fault.NONE;
    a.connection.deliver();
    a.step();
    assertThat(a.heard).isEmpty();
    assertThat(lease.written).containsExactly("a", "");
    assertThat(a.election.gone()).isCompletedWithValue(true);
  }

  /** Its components may still act when it loses the lease, but not when it stands again. */
  @Test
  void leavesTheCompetitionAfterALoss() {
    electA();
    lease.heldBy("c", seconds(1));
    a.election.withdraw(true);
    pass(seconds(2), b);
    assertThat(a.heard).hasSize(2);
    assertThat(a.election.gone()).isNotDone();
    a.election.standAgain();
    a.step();
    assertThat(a.election.gone()).isCompletedWithValue(true);
  }

  @Test
  void givesBackARenewalWhoseAnswerGotLost() {
    electA();
    a.connection.fault = Fault.ANSWER_LOST;
    pass(seconds(2));
    a.connection.fault = Fault.NONE;
    leave(a);
    assertThat(lease.record().isFree()).isTrue();
  }

  @Test
  void endsAlthoughTheLeaseCantBeGivenBack() {
    electA();
    a.connection.fault = Fault.SWALLOWED;
    a.election.leave(true);
    pass(Duration.ofMillis(10_200), b);
    assertThat(a.election.gone()).isCompletedWithValue(false);
    assertThat(a.connection.requests).as("to create, to give back, to look").isEqualTo(4);
  }

  @Test
  void showsForeignNamesOnOneLine() {
    electA();
    lease.heldBy("evil\n2026 ERROR\u202e", seconds(15));
    pass(seconds(2), b);
    assertThat(a.heard.get(1))
        .endsWith("it is held by another replica, evil\\u000a2026 ERROR\\u202e");
  }
}
