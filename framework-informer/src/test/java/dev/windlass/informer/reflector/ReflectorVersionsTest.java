// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Versions that go back, versions that the server has not reached yet, and pages that refer to
 * themselves. Covers docs/reliability.md, A1, A8, A9, C2, C7 and E2.
 */
final class ReflectorVersionsTest extends ReflectorHarness {

  private void listsAt(String version) {
    server.scriptNextList(FeedEvent.listed(json("a", 50)), new FeedEvent.ListEnd(version, ""));
    server.scriptNextWatch(new FeedEvent.Opened());
  }

  /** A watch from a future version is accepted but delivers nothing. */
  @Test
  void listsWhenTheServerCameBackWithALowerVersion() {
    listsAt("100");
    run();
    server.claimVersion(99);
    server.dropWatches();
    server.scriptNextWatch(new FeedEvent.Opened());
    runAfter(run());
    assertThat(watchedFrom()).startsWith("100", "100");
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.WENT_BACK);
    assertThat(listener.wentBack).isEqualTo(1);
    assertThat(sink.changes).containsExactly("replace [a@50]", "replace []");
  }

  /** The same holds for a server that ends its watches in order before it is restored. */
  @Test
  void listsWhenASilentWatchTurnsOutToBeFromTheFuture() {
    listsAt("100");
    run();
    server.claimVersion(99);
    server.scriptNextWatch(new FeedEvent.Opened());
    time.advance(watchTimeout);
    server.endWatches();
    run();
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.WENT_BACK);
  }

  @Test
  void asksForTheVersionOnceAfterABrokenConnection() {
    listsAt("100");
    run();
    server.scriptNextWatch(new FeedEvent.Opened());
    server.dropWatches();
    runAfter(run());
    assertThat(server.versionChecks()).isEqualTo(1);
    server.send(new FeedEvent.Bookmark("110"));
    time.advance(watchTimeout);
    server.endWatches();
    run();
    assertThat(server.versionChecks()).as("that watch was in step").isEqualTo(1);
    assertThat(listener.reasons).containsExactly(ListReason.START);
  }

  /** As long as the server can't be reached, there is no use in asking it anything else. */
  @Test
  void asksForTheVersionOnlyBesideAWatchThatWasAccepted() {
    listsAt("100");
    run();
    server.dropWatches();
    server.failNextWatch(failure(Reason.UNREACHABLE));
    server.failNextWatch(failure(Reason.UNREACHABLE));
    runAfter(runAfter(run()));
    assertThat(watchedFrom()).hasSize(3);
    assertThat(server.versionChecks()).isZero();
  }

  /** A list tells the version; nobody needs to ask again beside the watch behind it. */
  @Test
  void doesNotAskForTheVersionBehindAList() {
    listsAt("100");
    run();
    server.dropWatches();
    server.failNextWatch(FeedFailure.ofStatus(410, "compacted", Duration.ZERO));
    Duration rest = run();
    listsAt("200");
    runAfter(rest);
    assertThat(watchedFrom()).containsExactly("100", "100", "200");
    assertThat(server.versionChecks()).isZero();
  }

  /** What another version is compared with is the beginning of the watch, not its progress. */
  @Test
  void doesNotMindEventsThatOvertakeTheCheck() {
    listsAt("100");
    run();
    server.claimVersion(100);
    server.scriptNextWatch(new FeedEvent.Opened(), FeedEvent.modified(json("a", 103)));
    server.dropWatches();
    runAfter(run());
    assertThat(server.versionChecks()).isEqualTo(1);
    assertThat(listener.reasons).containsExactly(ListReason.START);
  }

  /** A 410 shows that the server is there, however often it was unreachable before. */
  @Test
  void listsAtOnceWhenTheFirstAnswerAfterAnOutageIs410() {
    listsAt("100");
    run();
    server.dropWatches();
    for (int i = 0; i < 4; i++) {
      server.failNextWatch(failure(Reason.UNREACHABLE));
    }
    server.failNextWatch(failure(Reason.EXPIRED));
    Duration wait = run();
    for (int i = 0; i < 4; i++) {
      wait = runAfter(wait);
    }
    assertThat(listener.reasons).containsExactly(ListReason.START);
    runAfter(wait);
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.EXPIRED);
    assertThat(listener.listed).as("without a further delay").hasSize(2);
  }

  /** A bookmark or an event with a lower version shows it as well. */
  @Test
  void listsWhenABookmarkIsLowerThanWhatItHasSeen() {
    listsAt("100");
    run();
    server.send(new FeedEvent.Bookmark("60"));
    run();
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.WENT_BACK);
    assertThat(listener.wentBack).isEqualTo(1);
    assertThat(sink.changes).containsExactly("replace [a@50]", "replace []");
    assertThat(warnings()).singleElement().asString().contains("went back from 100 to 0");
  }

  /** The server lags behind and will catch up, so the version is kept. */
  @Test
  void resumesWhenTheServerHasYetToReachTheVersion() {
    listsAt("100");
    run();
    server.failWatches(
        new FeedFailure(Reason.VERSION_TOO_LARGE, "current: 90", Duration.ofSeconds(1)));
    assertThat(run()).isEqualTo(Duration.ofSeconds(1));
    server.scriptNextWatch(new FeedEvent.Opened());
    runAfter(Duration.ofSeconds(1));
    assertThat(watchedFrom()).containsExactly("100", "100");
    assertThat(server.lists()).hasSize(1);
  }

  /** If the server never reaches the version, its versions have changed. */
  @Test
  void listsWhenTheServerDoesNotReachTheVersion() {
    listsAt("100");
    run();
    FeedFailure behind = FeedFailure.of(Reason.VERSION_TOO_LARGE, "current: 9");
    server.failWatches(behind);
    server.failNextWatch(behind);
    server.failNextWatch(behind);
    runAfter(runAfter(runAfter(run())));
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.WATCH_FAILED);
  }

  @Test
  void followsOpaqueVersions() {
    listsAt("z");
    run();
    server.send(new FeedEvent.Bookmark("y"));
    run();
    server.scriptNextWatch(new FeedEvent.Opened());
    server.dropWatches();
    runAfter(run());
    assertThat(watchedFrom()).containsExactly("z", "y");
    assertThat(listener.wentBack).isZero();
  }

  /** Never a hot loop of pages. */
  @Test
  void takesAPageThatIsFollowedByItselfAsAFailure() {
    server.scriptNextList(FeedEvent.listed(json("a", 1)), new FeedEvent.ListEnd("5", "again"));
    server.scriptNextList(FeedEvent.listed(json("b", 1)), new FeedEvent.ListEnd("5", "again"));
    assertThat(run()).isEqualTo(Duration.ofMillis(800));
    assertThat(listener.failures).containsExactly(Reason.MALFORMED);
    assertThat(sink.changes).isEmpty();
  }

  /** A frame may have been damaged on the way; the version before it is valid. */
  @Test
  void resumesBehindTheLastGoodEventAfterADamagedFrame() {
    listsAt("100");
    run();
    server.send(FeedEvent.modified(json("a", 101)));
    server.failWatches(failure(Reason.MALFORMED));
    server.scriptNextWatch(new FeedEvent.Opened());
    runAfter(run());
    assertThat(watchedFrom()).containsExactly("100", "101");
    assertThat(server.lists()).hasSize(1);
  }

  /** One list makes up for any number of unreadable events. */
  @Test
  void listsOnceInTwoMinutesForUnreadableEvents() {
    listsAt("100");
    run();
    for (int i = 0; i < 10; i++) {
      server.send(FeedEvent.modified(FeedEvent.Json.of("{\"metadata\":{}}")));
      run();
    }
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.UNREADABLE_EVENT);
    assertThat(listener.skipped).hasSize(10);
  }

  /** What is lost again each time must not make a hot loop of lists. */
  @Test
  void listsEvery30SecondsAtMostForWhatGotLost() {
    listsAt("100");
    run();
    reflector.requestList();
    run();
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.LOST);
    reflector.requestList();
    Duration wait = run();
    assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(30));
    assertThat(listener.reasons).hasSize(2);
    time.advance(Duration.ofSeconds(15));
    server.endWatches();
    run();
    runAfter(Duration.ofSeconds(15));
    assertThat(listener.reasons)
        .containsExactly(ListReason.START, ListReason.LOST, ListReason.LOST);
  }

  /** An aggregated API whose replicas count separately: a list does not help. */
  @Test
  void listsOnceInHalfAMinuteWhereVersionsGoBackAgainAndAgain() {
    for (int i = 0; i < 40; i++) {
      server.scriptNextList(FeedEvent.listed(json("a", 10)), new FeedEvent.ListEnd("10", ""));
      server.scriptNextWatch(new FeedEvent.Opened(), FeedEvent.modified(json("a", 1)));
    }
    run();
    assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.WENT_BACK);
    time.advance(Duration.ofSeconds(20));
    server.endWatches();
    run();
    runAfter(Duration.ofSeconds(9));
    assertThat(listener.reasons).as("after 29 s").hasSize(2);
    runAfter(Duration.ofSeconds(1));
    assertThat(listener.reasons).endsWith(ListReason.WENT_BACK).hasSize(3);
  }

  /** What is less urgent and wanted later puts nothing off that was wanted before. */
  @Test
  void listsWhenTheFirstOfSeveralReasonsIsDue() {
    PendingRelist wanted = new PendingRelist(time);
    wanted.want(ListReason.LOST);
    wanted.want(ListReason.UNREADABLE_EVENT);
    assertThat(wanted.take()).as("due at once").isNotNull();
    wanted.want(ListReason.LOST);
    wanted.want(ListReason.UNREADABLE_EVENT);
    assertThat(wanted.untilDue()).isEqualTo(Duration.ofSeconds(30));
    wanted.want(ListReason.WENT_BACK);
    wanted.want(ListReason.UNREADABLE_EVENT);
    assertThat(wanted.untilDue()).as("the first of its kind").isZero();
    assertThat(wanted.take()).isEqualTo(ListReason.WENT_BACK);
    assertThat(wanted.untilDue()).as("one list serves all").isEqualTo(Duration.ofDays(1));
    wanted.want(ListReason.UNREADABLE_EVENT);
    assertThat(wanted.untilDue()).isEqualTo(Duration.ofMinutes(2));
  }

  /** A watch that brings a change before it expires is as bad as one that brings nothing. */
  @Test
  void waitsWhereEachWatchBringsAChangeAndThenExpires() {
    for (int i = 1; i <= 40; i++) {
      server.scriptNextList(new FeedEvent.ListEnd(Integer.toString(10 * i), ""));
      server.scriptNextWatch(
          new FeedEvent.Opened(),
          FeedEvent.modified(json("a", 10 * i + 1)),
          new FeedEvent.Failed(failure(Reason.EXPIRED)));
    }
    assertThat(run()).as("the second time in a row").isEqualTo(Duration.ofMillis(1600));
    assertThat(listener.listed).hasSize(2);
    assertThat(runAfter(Duration.ofMillis(1600))).isEqualTo(Duration.ofMillis(3200));
    server.forgetScripts();
    runAfter(Duration.ofMillis(3200));
  }
}
