// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.object.ConfigMaps;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How the reflector lists and watches. Covers docs/reliability.md, A1, A5, A6, A8, A9, B1 and C2.
 */
final class ReflectorTest extends ReflectorHarness {

  @Nested
  final class Following {

    @Test
    void listsAndThenWatchesFromTheVersionOfTheList() {
      put("a");
      put("b");
      run();
      put("c");
      put("a");
      server.delete(ConfigMaps.key("b"));
      run();
      assertThat(sink.changes)
          .containsExactly("replace [a@1, b@2]", "added c@3", "updated a@4", "deleted b@5");
      assertThat(watchedFrom()).containsExactly("2");
      assertThat(listener.listed).containsExactly(2);
    }

    /** The first list is consistent, because the request contains no resource version. */
    @Test
    void asksForPagesOf500() {
      run();
      assertThat(server.lists()).containsExactly(new ListRequest(500, ""));
    }

    @Test
    void readsAListPageByPageAndAppliesItAtOnce() {
      server.pageSize(2);
      IntStream.range(0, 5).forEach(i -> put("o" + i));
      run();
      assertThat(server.lists()).hasSize(3);
      assertThat(server.lists().stream().map(ListRequest::continueToken).distinct()).hasSize(3);
      assertThat(sink.changes).containsExactly("replace [o0@1, o1@2, o2@3, o3@4, o4@5]");
      assertThat(server.openStreams()).as("the watch only").isEqualTo(1);
    }

    @Test
    void isWokenByWhatArrives() {
      run();
      int before = wakeUps;
      put("a");
      assertThat(wakeUps).isEqualTo(before + 1);
    }

    /** The server ends watches after 20 s to 30 s, spread at random. */
    @Test
    void asksForWatchesOf20To30Seconds() {
      run();
      randomBits = -1;
      time.advance(Duration.ofSeconds(2));
      server.endWatches();
      run();
      assertThat(server.watches().get(0).timeout()).isEqualTo(Duration.ofSeconds(20));
      assertThat(server.watches().get(1).timeout())
          .isBetween(Duration.ofMillis(29_999), Duration.ofSeconds(30));
    }

    /** A stop must not wait for a busy watch to end. */
    @Test
    void takesABoundedNumberOfEventsInOneStep() {
      run();
      IntStream.range(0, 501).forEach(i -> put("a"));
      assertThat(reflector.run()).isEqualTo(StepDelay.NONE);
      assertThat(sink.changes).hasSize(1 + 500);
      run();
      assertThat(sink.changes).hasSize(1 + 501);
    }
  }

  @Nested
  final class Resuming {

    /** Every event advances the version from which a watch resumes. */
    @Test
    void goesOnBehindTheLastEventWithoutAList() {
      put("a");
      run();
      put("a");
      run();
      server.dropWatches();
      put("b");
      run();
      runAfter(Duration.ofMillis(800));
      assertThat(server.lists()).hasSize(1);
      assertThat(watchedFrom()).containsExactly("1", "2");
      assertThat(sink.changes).containsExactly("replace [a@1]", "updated a@2", "added b@3");
    }

    /** So does a bookmark; one without a version has no effect. */
    @Test
    void goesOnBehindTheLastBookmark() {
      run();
      server.send(new FeedEvent.Bookmark("77"));
      server.send(new FeedEvent.Bookmark(""));
      run();
      server.dropWatches();
      run();
      runAfter(Duration.ofMillis(800));
      assertThat(watchedFrom()).containsExactly("0", "77");
      assertThat(server.lists()).hasSize(1);
    }

    /** An event that arrives late does not move the version back, and is counted. */
    @Test
    void goesOnBehindTheHighestVersion() {
      run();
      server.send(FeedEvent.added(json("a", 9)));
      server.send(FeedEvent.added(json("b", 8)));
      run();
      server.dropWatches();
      run();
      runAfter(Duration.ofMillis(800));
      assertThat(watchedFrom()).containsExactly("0", "9");
      assertThat(listener.outOfOrder).isEqualTo(1);
    }

    @Test
    void reopensAtOnceAWatchThatEndedInOrder() {
      run();
      time.advance(Duration.ofSeconds(1));
      server.endWatches();
      run();
      assertThat(server.watches()).hasSize(2);
      assertThat(listener.failures).isEmpty();
      assertThat(server.lists()).hasSize(1);
    }

    record End(FeedFailure failure, boolean resumes) {}

    static Stream<End> failures() {
      return Stream.of(
          new End(failure(Reason.UNREACHABLE), true),
          new End(failure(Reason.TLS), true),
          new End(failure(Reason.TIMEOUT), true),
          new End(status(401), true),
          new End(status(403), true),
          new End(status(429), true),
          new End(status(500), true),
          new End(status(504), true),
          new End(status(404), false),
          new End(status(400), false),
          new End(failure(Reason.MALFORMED), true),
          new End(failure(Reason.VERSION_TOO_LARGE), true),
          new End(failure(Reason.INTERNAL), false));
    }

    /** A connection failure costs no list; a failure that makes the version doubtful does. */
    @ParameterizedTest
    @MethodSource("failures")
    void listsOnlyIfThePlaceMayBeWrong(End c) {
      run();
      server.failWatches(c.failure());
      assertThat(run()).isEqualTo(Duration.ofMillis(800));
      runAfter(Duration.ofMillis(800));
      assertThat(server.lists()).hasSize(c.resumes() ? 1 : 2);
      assertThat(server.watches()).hasSize(2);
      assertThat(listener.failures).containsExactly(c.failure().reason());
    }
  }

  @Nested
  final class Expiry {

    @Test
    void listsWhenSomebodyAsksForIt() {
      put("a");
      run();
      reflector.requestList();
      reflector.requestList();
      run();
      assertThat(server.lists()).hasSize(2);
      assertThat(sink.changes).containsExactly("replace [a@1]", "replace [a@1]");
      assertThat(server.watches()).hasSize(2);
    }

    @Test
    void listsAtOnceWhenAWatchSaysSo() {
      run();
      server.failWatches(status(410));
      run();
      assertThat(server.lists()).hasSize(2);
      assertThat(server.watches()).hasSize(2);
      assertThat(time.nanoTime()).isZero();
      assertThat(listener.failures).containsExactly(Reason.EXPIRED);
      assertThat(reflector.problem()).isEmpty();
      assertThat(warnings()).isEmpty();
    }

    /** A continue token has expired: half a list is never applied. */
    @Test
    void listsAtOnceWhenAPageIsGone() {
      put("a");
      server.scriptNextList(FeedEvent.listed(json("ghost", 1)), new FeedEvent.ListEnd("1", "gone"));
      run();
      assertThat(server.lists().stream().map(ListRequest::continueToken))
          .containsExactly("", "gone", "");
      assertThat(server.lists().stream().map(ListRequest::limit))
          .as("then in one piece, or a slow list might expire for ever")
          .containsExactly(500, 500, 0);
      assertThat(sink.changes).containsExactly("replace [a@1]");
      assertThat(time.nanoTime()).isZero();
    }

    /** Never a hot loop of lists. */
    @Test
    void waitsBeforeTheSecondInARow() {
      server.failNextWatch(status(410));
      server.failNextWatch(status(410));
      server.failNextWatch(status(410));
      assertThat(run()).isEqualTo(Duration.ofMillis(1_600));
      assertThat(server.lists()).hasSize(2);
      assertThat(runAfter(Duration.ofMillis(1_600))).isEqualTo(Duration.ofMillis(3_200));
      assertThat(server.lists()).hasSize(3);
      assertThat(reflector.problem()).map(FeedFailure::reason).contains(Reason.EXPIRED);
      assertThat(warnings()).hasSize(1);
    }
  }

  @Nested
  final class Closing {

    @Test
    void closesTheListThatIsRead() {
      server.hold();
      run();
      assertThat(server.openStreams()).isEqualTo(1);
      reflector.close();
      server.assertNothingOpen();
    }

    @Test
    void closesTheWatchThatIsRead() {
      run();
      assertThat(server.openStreams()).isEqualTo(1);
      reflector.close();
      reflector.close();
      server.assertNothingOpen();
    }

    @Test
    void hasNothingToCloseWhileItRests() {
      server.failNextList(failure(Reason.UNREACHABLE));
      run();
      reflector.close();
      server.assertNothingOpen();
    }
  }
}
