// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How the reflector handles and reports failures. Covers docs/reliability.md, A3, A7, A10, A11, B2
 * to B4, C7 and E2.
 */
final class ReflectorFailureTest extends ReflectorHarness {

  @Nested
  final class BackingOff {

    /** 800 ms, doubled; 30 s at most. */
    @Test
    void waitsTwiceAsLongEachTime() {
      IntStream.range(0, 8).forEach(i -> server.failNextList(failure(Reason.UNREACHABLE)));
      List<Long> waits = new ArrayList<>();
      Duration rest = run();
      for (int i = 0; i < 8; i++) {
        waits.add(rest.toMillis());
        assertThat(server.lists()).as("none too early").hasSize(i + 1);
        runAfter(rest.minusNanos(1));
        assertThat(server.lists()).hasSize(i + 1);
        rest = runAfter(Duration.ofNanos(1));
      }
      assertThat(waits)
          .containsExactly(800L, 1_600L, 3_200L, 6_400L, 12_800L, 15_000L, 15_000L, 15_000L);
      assertThat(sink.changes).containsExactly("replace []");
    }

    @Test
    void waitsAtMost30Seconds() {
      randomBits = -1;
      IntStream.range(0, 100).forEach(i -> server.failNextList(failure(Reason.UNREACHABLE)));
      Duration rest = run();
      for (int i = 0; i < 99; i++) {
        assertThat(rest).isBetween(Duration.ofMillis(800), Duration.ofSeconds(30));
        rest = runAfter(rest);
      }
    }

    static Stream<FeedEvent> progress() {
      return Stream.of(FeedEvent.added(json("a", 9)), new FeedEvent.Bookmark("9"));
    }

    @ParameterizedTest
    @MethodSource("progress")
    void beginsAnewAfterAWatchThatGotSomewhere(FeedEvent event) {
      run();
      for (int i = 0; i < 3; i++) {
        server.dropWatches();
        Duration rest = run();
        assertThat(rest).isEqualTo(Duration.ofMillis(800 << i));
        runAfter(rest);
      }
      server.send(event);
      run();
      server.dropWatches();
      assertThat(run()).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void beginsAnewAfterAWatchThatEndedInOrder() {
      run();
      server.dropWatches();
      runAfter(run());
      time.advance(Duration.ofSeconds(1));
      server.endWatches();
      run();
      server.dropWatches();
      assertThat(run()).isEqualTo(Duration.ofMillis(800));
    }

    record Wish(Duration retryAfter, Duration waits) {}

    static Stream<Wish> requests() {
      return Stream.of(
          new Wish(Duration.ZERO, Duration.ofMillis(800)),
          new Wish(Duration.ofMillis(10), Duration.ofMillis(800)),
          new Wish(Duration.ofSeconds(7), Duration.ofSeconds(7)),
          new Wish(Duration.ofSeconds(120), Duration.ofMinutes(2)),
          new Wish(Duration.ofSeconds(1_000_000_000), Duration.ofMinutes(2)),
          new Wish(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMinutes(2)));
    }

    /** The pause requested by the server is honoured within limits, and costs no list. */
    @ParameterizedTest
    @MethodSource("requests")
    void waitsAsLongAsTheServerAsks(Wish c) {
      run();
      server.failWatches(FeedFailure.ofStatus(429, "slow down", c.retryAfter()));
      assertThat(run()).isEqualTo(c.waits());
      runAfter(c.waits());
      assertThat(server.watches()).hasSize(2);
      assertThat(server.lists()).hasSize(1);
    }

    /** After an outage a server says itself when it is ready; no back-off of the outage counts. */
    @Test
    void repeatsAListAfterThePauseThatTheServerAsksFor() {
      FeedFailure initializing =
          FeedFailure.ofStatus(429, "storage is (re)initializing", Duration.ofSeconds(1));
      IntStream.range(0, 6).forEach(i -> server.failNextList(failure(Reason.UNREACHABLE)));
      IntStream.range(0, 13).forEach(i -> server.failNextList(initializing));
      Duration rest = run();
      for (int i = 0; i < 6; i++) {
        rest = runAfter(rest);
      }
      for (int i = 0; i < 10; i++) {
        assertThat(rest).as("pause %s", i).isEqualTo(Duration.ofSeconds(1));
        rest = runAfter(rest);
      }
      assertThat(rest).as("a server that goes on to ask").isEqualTo(Duration.ofSeconds(15));
      rest = runAfter(rest);
      runAfter(runAfter(rest));
      assertThat(sink.changes).containsExactly("replace []");
      server.failWatches(initializing);
      assertThat(run()).as("it was served meanwhile").isEqualTo(Duration.ofSeconds(1));
      runAfter(Duration.ofSeconds(1));
    }

    /** An attempt at a closed port costs nobody anything; but users wait for the next one. */
    @Test
    void triesEveryThreeSecondsAtLeastWhileNothingListens() {
      put("a");
      run();
      randomBits = -1;
      IntStream.range(0, 60).forEach(i -> server.failNextWatch(failure(Reason.CONNECTION_REFUSED)));
      server.failNextWatch(failure(Reason.SERVER_ERROR));
      server.dropWatches();
      Duration rest = run();
      for (int i = 0; i < 60; i++) {
        rest = runAfter(rest);
        assertThat(rest).isLessThanOrEqualTo(Duration.ofSeconds(3));
      }
      assertThat(runAfter(rest)).as("the first answer").isLessThan(Duration.ofMillis(1_600));
      runAfter(rest);
      assertThat(listener.reasons).containsExactly(ListReason.START);
      assertThat(server.watches()).hasSize(63);
    }

    /** A wake-up by whatever was left over is no reason to try earlier. */
    @Test
    void isNotHurriedByWakeUps() {
      server.failNextList(failure(Reason.UNREACHABLE));
      run();
      time.advance(Duration.ofMillis(300));
      assertThat(run()).isEqualTo(Duration.ofMillis(500));
      assertThat(server.lists()).hasSize(1);
    }

    /** As in client-go; the version may be stale. */
    @Test
    void takesAVeryShortFruitlessWatchAsAFailure() {
      put("a");
      server.scriptNextWatch(new FeedEvent.Opened(), new FeedEvent.Ended());
      server.scriptNextWatch(new FeedEvent.Opened(), new FeedEvent.Ended());
      server.scriptNextWatch(new FeedEvent.Opened(), new FeedEvent.Ended());
      Duration rest = run();
      assertThat(rest).isEqualTo(Duration.ofMillis(800));
      rest = runAfter(rest);
      assertThat(rest).isEqualTo(Duration.ofMillis(1_600));
      rest = runAfter(rest);
      assertThat(server.lists()).hasSize(1);
      runAfter(rest);
      assertThat(server.lists()).as("suspect after three").hasSize(2);
      assertThat(server.watches()).hasSize(4);
    }

    @Test
    void reopensAShortWatchThatBroughtSomethingAfterASecond() {
      run();
      put("a");
      server.endWatches();
      assertThat(run()).isEqualTo(Duration.ofSeconds(1));
      assertThat(watchedFrom()).containsExactly("0");
      runAfter(Duration.ofSeconds(1));
      assertThat(watchedFrom()).containsExactly("0", "1");
      assertThat(listener.failures).isEmpty();
    }
  }

  @Nested
  final class Silence {

    @Test
    void givesADeadWatchUpAfter45SecondsAtMost() {
      put("a");
      randomBits = -1;
      run();
      server.hold();
      put("b");
      Duration wait = run();
      assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(45));
      runAfter(wait.minusNanos(1));
      assertThat(listener.failures).isEmpty();
      Duration rest = runAfter(Duration.ofNanos(1));
      assertThat(listener.failures).containsExactly(Reason.TIMEOUT);
      assertThat(server.openStreams()).isZero();
      server.release();
      runAfter(rest);
      assertThat(watchedFrom()).containsExactly("1", "1");
      assertThat(server.lists()).hasSize(1);
      assertThat(sink.changes).containsExactly("replace [a@1]", "added b@2");
    }

    /** The connection of the next watch may have been idle when the network dropped it. */
    @Test
    void findsOutWithin45SecondsThatTwoConnectionsAreDead() {
      put("a");
      randomBits = -1;
      run();
      server.hold();
      put("b");
      Duration dead = run();
      Duration rest = runAfter(dead);
      Duration deadToo = runAfter(rest);
      Duration found = dead.plus(rest).plus(deadToo);
      assertThat(watchedFrom()).containsExactly("1", "1");
      rest = runAfter(deadToo);
      assertThat(listener.failures).containsExactly(Reason.TIMEOUT, Reason.TIMEOUT);
      assertThat(found).isLessThanOrEqualTo(Duration.ofSeconds(45));
      server.release();
      runAfter(rest);
      assertThat(sink.changes).containsExactly("replace [a@1]", "added b@2");
    }

    /** What the setting says, and what it costs. */
    @ParameterizedTest
    @CsvSource({"10, 30", "20, 45", "300, 465", "3600, 5415"})
    void findsOutThatAConnectionIsDeadAfterATimeThatFollowsFromTheSetting(int timeout, int limit) {
      watchTimeout = Duration.ofSeconds(timeout);
      Reflector<ConfigMap> other = reflector(server, Duration.ZERO, KnownObjects.nothing());
      randomBits = -1;
      Duration wait = runAlone(other);
      assertThat(server.watches().get(0).timeout())
          .isBetween(watchTimeout, watchTimeout.multipliedBy(3).dividedBy(2));
      server.hold();
      time.advance(wait);
      Duration rest = runAlone(other);
      time.advance(rest);
      Duration deadToo = runAlone(other);
      assertThat(listener.failures).containsExactly(Reason.TIMEOUT);
      assertThat(wait.plus(rest).plus(deadToo)).isLessThanOrEqualTo(Duration.ofSeconds(limit));
      server.release();
      other.close();
    }

    private static Duration runAlone(Reflector<ConfigMap> other) {
      StepDelay pause = other.run();
      while (pause.equals(StepDelay.NONE)) {
        pause = other.run();
      }
      return pause.limit().orElseThrow();
    }

    @Test
    void becomesMorePatientWithASlowServer() {
      run();
      server.dropWatches();
      Duration rest = run();
      server.hold();
      List<Long> limits = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Duration limit = runAfter(rest);
        limits.add(limit.toSeconds());
        rest = runAfter(limit);
      }
      assertThat(limits).containsExactly(5L, 10L, 15L, 20L, 25L, 30L, 30L, 30L);
    }

    /** A slow list is not a dead one, even if exactly the maximum of one step arrives at a time. */
    @Test
    void givesAListTimeAsLongAsItBringsSomething() {
      server.scriptNextList(new FeedEvent.Opened());
      run();
      for (int piece : new int[] {1, 500, 1, 1_000, 500}) {
        time.advance(Duration.ofSeconds(59));
        IntStream.range(0, piece).forEach(i -> server.send(FeedEvent.listed(json("o" + i, 1))));
        assertThat(run()).isEqualTo(Duration.ofSeconds(60));
      }
      server.send(new FeedEvent.ListEnd("7", ""));
      run();
      assertThat(listener.failures).isEmpty();
      assertThat(listener.listed).containsExactly(2_002);
    }
  }

  @Nested
  final class BadInput {

    /** An unreadable watch event is made up for by a list. */
    @Test
    void leavesMalformedObjectsOutAndGoesOn() {
      server.scriptNextList(
          FeedEvent.listed(json("a", 1)),
          FeedEvent.listed(FeedEvent.Json.of("{\"metadata\":{\"x\":\"CANARY\"}}")),
          FeedEvent.listed(json("b", 2)),
          new FeedEvent.ListEnd("5", ""));
      server.scriptNextWatch(
          new FeedEvent.Opened(),
          FeedEvent.modified(FeedEvent.Json.of("{\"metadata\":{\"name\":\"CANARY")),
          FeedEvent.modified(json("a", 6)));
      run();
      assertThat(sink.changes).containsExactly("replace [a@1, b@2]", "updated a@6", "replace []");
      assertThat(listener.reasons).containsExactly(ListReason.START, ListReason.UNREADABLE_EVENT);
      assertThat(listener.skipped).hasSize(2);
      assertThat(listener.failures).isEmpty();
      assertThat(warnings()).noneMatch(line -> line.contains("CANARY"));
      assertThat(warnings()).filteredOn(line -> line.startsWith("Skipped an object of")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
        value = FeedEvent.Type.class,
        names = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ENDED"})
    void takesAWatchEventInAListAsAFailure(FeedEvent.Type type) {
      server.scriptNextList(
          switch (type) {
            case ADDED -> FeedEvent.added(json("a", 1));
            case MODIFIED -> FeedEvent.modified(json("a", 1));
            case DELETED -> FeedEvent.deleted(json("a", 1));
            case BOOKMARK -> new FeedEvent.Bookmark("1");
            default -> new FeedEvent.Ended();
          });
      run();
      assertThat(listener.failures).containsExactly(Reason.MALFORMED);
      assertThat(sink.changes).isEmpty();
    }

    @Test
    void takesAListInAWatchAsAFailure() {
      run();
      server.send(new FeedEvent.ListEnd("1", ""));
      run();
      server.scriptNextWatch(FeedEvent.listed(json("a", 1)));
      runAfter(Duration.ofMillis(800));
      assertThat(listener.failures).containsExactly(Reason.MALFORMED, Reason.MALFORMED);
    }

    /** A bug behind the sink: nothing leaks, nothing is lost, and it does not spin. */
    @Test
    void startsOverWithAListWhenAStepBreaksOff() {
      put("a");
      sink.failures = 1;
      assertThatThrownBy(ReflectorFailureTest.this::run).hasMessage("the sink is broken");
      assertThat(server.openStreams()).isZero();
      assertThat(reflector.problem()).isPresent();
      assertThat(run()).isEqualTo(Duration.ofMillis(800));
      runAfter(Duration.ofMillis(800));
      assertThat(sink.changes).containsExactly("replace [a@1]");
      assertThat(reflector.problem()).isEmpty();

      put("b");
      sink.failures = 1;
      assertThatThrownBy(ReflectorFailureTest.this::run).hasMessage("the sink is broken");
      assertThat(server.openStreams()).isZero();
      runAfter(run());
      assertThat(sink.changes).containsExactly("replace [a@1]", "replace [a@1, b@2]");
    }

    @Test
    void startsOverWithAListEvenIfTheStreamCantBeClosed() {
      put("a");
      ListerWatcher unclosable =
          new ListerWatcher() {
            @Override
            public FeedStream list(ListRequest request, Runnable wakeUp) {
              return server.list(request, wakeUp);
            }

            @Override
            public FeedStream watch(WatchRequest request, Runnable wakeUp) {
              return new FeedStream() {
                @Override
                public Optional<FeedEvent> poll() {
                  throw new IllegalStateException("broken");
                }

                @Override
                public void close() {
                  throw new IllegalStateException("can't be closed");
                }
              };
            }

            @Override
            public String describe() {
              return "test";
            }
          };
      Reflector<ConfigMap> other = reflector(unclosable, Duration.ZERO, KnownObjects.nothing());
      other.run();
      other.run();
      assertThatThrownBy(other::run).hasMessage("can't be closed");
      time.advance(Duration.ofMillis(800));
      other.run();
      other.run();
      assertThat(sink.changes).containsExactly("replace [a@1]", "replace [a@1]");
    }
  }

  @Nested
  final class Telling {

    /** One sentence at once, and again every two minutes, however often it is tried. */
    @Test
    void logsAFailureOnceAndThenEveryTwoMinutes() {
      IntStream.range(0, 1_000).forEach(i -> server.failNextList(status(403)));
      Duration rest = run();
      assertThat(warnings())
          .containsExactly(
              "Can't list objects of the test: Permission denied. Grant this identity the verbs"
                  + " list and watch on this resource in a Role or ClusterRole. (HTTP 403: test)"
                  + " Next try in 0.8 s.");
      while (time.nanoTime() < Duration.ofSeconds(119).toNanos()) {
        assertThat(warnings()).hasSize(1);
        rest = runAfter(rest);
      }
      while (time.nanoTime() < Duration.ofMinutes(10).toNanos()) {
        rest = runAfter(rest);
      }
      assertThat(warnings()).hasSizeBetween(5, 6);
    }

    /** Else people grant rights to everybody. */
    @Test
    void saysThatNoCredentialsWereSentInsteadOfAskingForRights() {
      server.failNextList(
          FeedFailure.ofStatus(
              403, "foos is forbidden: User \"system:anonymous\" cannot list", Duration.ZERO));
      run();
      assertThat(warnings())
          .singleElement()
          .asString()
          .startsWith("Can't list objects of the test: ")
          .contains("without credentials", "grant no rights to system:anonymous")
          .doesNotContain("Grant this identity");
    }

    /** Successful lists in between do not cause new warnings. */
    @Test
    void staysQuietWhileListsSucceedAndWatchesFail() {
      IntStream.range(0, 1_000).forEach(i -> server.failNextWatch(status(404)));
      Duration rest = run();
      while (time.nanoTime() < Duration.ofSeconds(119).toNanos()) {
        assertThat(logged()).as("one failure, one end").hasSizeLessThanOrEqualTo(2);
        assertThat(reflector.problem()).isPresent();
        rest = runAfter(rest);
      }
      assertThat(server.lists()).hasSizeGreaterThan(5);
    }

    /** What comes after good news is news. */
    @Test
    void logsTheSameFailureAgainAfterAWatchThatWorked() {
      run();
      for (int i = 1; i <= 3; i++) {
        server.failWatches(status(500));
        runAfter(run());
        put("a");
        run();
        assertThat(warnings()).hasSize(i);
      }
    }

    /** Load balancers close idle connections. */
    @Test
    void staysQuietWhenAConnectionBreaksAndTheNextOneWorks() {
      run();
      for (int i = 1; i <= 10; i++) {
        time.advance(Duration.ofSeconds(15));
        server.dropWatches();
        assertThat(run()).isLessThanOrEqualTo(Duration.ofMillis(1_600));
        runAfter(Duration.ofMillis(1_600));
      }
      assertThat(logged()).isEmpty();
      assertThat(server.lists()).hasSize(1);
      assertThat(server.watches()).hasSize(11);
    }

    @Test
    void tellsOfAConnectionThatBreaksTwiceInARow() {
      run();
      server.dropWatches();
      server.failNextWatch(failure(Reason.UNREACHABLE));
      runAfter(run());
      assertThat(warnings()).hasSize(1);
    }

    @Test
    void logsEachNewKindOfFailure() {
      server.failNextList(failure(Reason.UNREACHABLE));
      server.failNextList(status(401));
      runAfter(run());
      assertThat(warnings()).hasSize(2);
    }

    @Test
    void saysWhyItIsNotUpToDateUntilItIs() {
      server.failNextList(status(404));
      Duration rest = run();
      assertThat(reflector.problem()).map(FeedFailure::reason).contains(Reason.UNKNOWN_TYPE);
      runAfter(rest);
      assertThat(reflector.problem()).isEmpty();
      assertThat(logged().get(logged().size() - 1))
          .startsWith("objects of the test: up to date again; the last failure was: ");
      server.dropWatches();
      rest = run();
      assertThat(reflector.problem()).map(FeedFailure::reason).contains(Reason.UNREACHABLE);
      server.hold();
      runAfter(rest);
      assertThat(reflector.problem()).as("asked, but not answered").isPresent();
      server.release();
      run();
      assertThat(reflector.problem()).isEmpty();
      assertThat(logged().get(logged().size() - 1))
          .startsWith("objects of the test: watching again; the last failure was: ");
    }

    @Test
    void logsOneLineOfBoundedLengthWhateverTheServerSays() {
      server.failNextList(
          FeedFailure.ofStatus(
              500, "a\r\n2026-01-01 forged\u001b[31m" + "x".repeat(100_000), Duration.ZERO));
      run();
      assertThat(warnings())
          .singleElement()
          .asString()
          .hasSizeLessThan(1_500)
          .doesNotContain("\n", "\r", "\u001b");
    }
  }
}
