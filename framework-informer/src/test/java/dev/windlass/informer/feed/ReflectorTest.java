// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.feed.FakeListerWatcher;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.time.Pause;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

final class ReflectorTest {

  private static final ObjectKey A = ConfigMaps.key("a");

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final ManualScheduler time = new ManualScheduler();
  private final Sink sink = new Sink();
  private final Recorder listener = new Recorder();

  /** The bits of all random numbers: 0 for the least, -1 for the greatest. */
  private long randomBits;

  private int wakeUps;

  private final Reflector<ConfigMap> reflector =
      new Reflector<>(
          server, ConfigMaps.DECODER, sink, time, () -> randomBits, listener, () -> wakeUps++);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);

  @BeforeEach
  void listensToTheLog() {
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(log);
    log.start();
  }

  @AfterEach
  void leavesNothingOpen() {
    logger.detachAppender(log);
    logger.setLevel(null);
    logger.setAdditive(true);
    reflector.close();
    server.assertNothingOpen();
  }

  /** What reaches the FIFO, as one line each. */
  private static final class Sink implements ChangeSink<ConfigMap> {
    private final List<String> changes = new ArrayList<>();
    private int failures;

    private void add(String change) {
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("the sink is broken");
      }
      changes.add(change);
    }

    private static String show(CachedObject<ConfigMap> object) {
      return object.key().name() + "@" + object.resourceVersion();
    }

    @Override
    public void replace(List<CachedObject<ConfigMap>> objects) {
      add("replace " + objects.stream().map(Sink::show).toList());
    }

    @Override
    public void added(CachedObject<ConfigMap> object) {
      add("added " + show(object));
    }

    @Override
    public void updated(CachedObject<ConfigMap> object) {
      add("updated " + show(object));
    }

    @Override
    public void deleted(CachedObject<ConfigMap> object) {
      add("deleted " + show(object));
    }
  }

  private static final class Recorder implements FeedListener {
    private final List<Reason> failures = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<Integer> listed = new ArrayList<>();

    @Override
    public void listed(int objects) {
      listed.add(objects);
    }

    @Override
    public void failed(FeedFailure failure) {
      failures.add(failure.reason());
    }

    @Override
    public void skipped(String why) {
      skipped.add(why);
    }
  }

  /** Steps until there is nothing to do, and says for how long. */
  private Duration run() {
    for (int i = 0; i < 10_000; i++) {
      Pause pause = reflector.run();
      if (!pause.equals(Pause.NONE)) {
        return pause.limit().orElseThrow();
      }
    }
    throw new AssertionError("a hot loop");
  }

  private Duration runAfter(Duration wait) {
    time.advance(wait);
    return run();
  }

  private void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  private static FeedFailure failure(Reason reason) {
    return FeedFailure.of(reason, "test");
  }

  private static FeedFailure status(int code) {
    return FeedFailure.ofStatus(code, "test", Duration.ZERO);
  }

  private static FeedEvent.Json json(String name, int version) {
    return FeedEvent.Json.of(ConfigMaps.json(name, name, Integer.toString(version)));
  }

  private List<String> warnings() {
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private List<String> watchedFrom() {
    return server.watches().stream().map(WatchRequest::resourceVersion).toList();
  }

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

    /** 002-48, A9: the first list is consistent: the request names no version at all. */
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
      assertThat(reflector.run()).isEqualTo(Pause.NONE);
      assertThat(sink.changes).hasSize(1 + 500);
      run();
      assertThat(sink.changes).hasSize(1 + 501);
    }
  }

  @Nested
  final class Resuming {

    /** B1, A1: go-anchors 10: every event moves the place from which a watch goes on. */
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

    /** go-anchors 10: so does a bookmark; one without a version changes nothing. */
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

    /** go-anchors 9: versions are opaque here; that of the last event counts, even a lower one. */
    @Test
    void goesOnBehindTheLastEventEvenIfItsVersionIsLower() {
      run();
      server.send(new FeedEvent.Added(json("a", 9)));
      server.send(new FeedEvent.Added(json("b", 8)));
      run();
      server.dropWatches();
      run();
      runAfter(Duration.ofMillis(800));
      assertThat(watchedFrom()).containsExactly("0", "8");
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
          new End(failure(Reason.TIMEOUT), true),
          new End(status(401), true),
          new End(status(403), true),
          new End(status(429), true),
          new End(status(500), true),
          new End(status(504), true),
          new End(status(404), false),
          new End(status(400), false),
          new End(failure(Reason.MALFORMED), false));
    }

    /** go-anchors 6: trouble on the way costs no list; a place that may be wrong does. */
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

    /** A8: a version from before a restored backup is answered with 5xx for ever. */
    @Test
    void listsAfterThreeResumesThatTheServerCouldNotServe() {
      run();
      server.failWatches(status(500));
      server.failNextWatch(status(504));
      server.failNextWatch(status(500));
      Duration rest = run();
      for (int i = 0; i < 2; i++) {
        assertThat(server.lists()).hasSize(1);
        rest = runAfter(rest);
      }
      runAfter(rest);
      assertThat(server.lists()).hasSize(2);
      assertThat(reflector.trouble()).isEmpty();
    }
  }

  @Nested
  final class Expiry {

    /** A5: exactly one list, at once; what vanished in between is not on it. */
    @Test
    void listsAtOnceWhenAWatchCannotBeOpened() {
      put("a");
      put("b");
      run();
      server.dropWatches();
      server.delete(A);
      server.compact();
      run();
      // failures == 1 from the cut, so even the first expiry has something to wait for
      runAfter(runAfter(Duration.ofMillis(800)));
      assertThat(server.lists()).hasSize(2);
      assertThat(sink.changes).containsExactly("replace [a@1, b@2]", "replace [b@2]");
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
      assertThat(reflector.trouble()).isEmpty();
      assertThat(warnings()).isEmpty();
    }

    /** A6: a continue token that is gone: half a list is never applied. */
    @Test
    void listsAtOnceWhenAPageIsGone() {
      put("a");
      server.scriptNextList(
          new FeedEvent.Listed(json("ghost", 1)), new FeedEvent.ListEnd("1", "gone"));
      run();
      assertThat(server.lists().stream().map(ListRequest::continueToken))
          .containsExactly("", "gone", "");
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
      assertThat(reflector.trouble()).map(FeedFailure::reason).contains(Reason.EXPIRED);
      assertThat(warnings()).hasSize(1);
    }
  }

  @Nested
  final class BackingOff {

    /** 002-48: 800 ms, doubled; 30 s at most. */
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
      return Stream.of(new FeedEvent.Added(json("a", 9)), new FeedEvent.Bookmark("9"));
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

    /** A11: what the server asks for is honoured, within reason, and costs no list. */
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

    /** A wake-up by whatever was left over is no reason to try earlier. */
    @Test
    void isNotHurriedByWakeUps() {
      server.failNextList(failure(Reason.UNREACHABLE));
      run();
      time.advance(Duration.ofMillis(300));
      assertThat(run()).isEqualTo(Duration.ofMillis(500));
      assertThat(server.lists()).hasSize(1);
    }

    /** A7, go-anchors 11: a bare close, again and again, is a failure and leads to a list. */
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
    void reopensAtOnceAShortWatchThatBroughtSomething() {
      run();
      put("a");
      server.endWatches();
      run();
      assertThat(watchedFrom()).containsExactly("0", "1");
      assertThat(listener.failures).isEmpty();
    }
  }

  @Nested
  final class Silence {

    /** A3, B2: a dead connection is found out within 45 s. */
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

    @Test
    void givesASilentListUpAfter60Seconds() {
      put("a");
      server.hold();
      assertThat(run()).isEqualTo(Duration.ofSeconds(60));
      runAfter(Duration.ofSeconds(60));
      assertThat(listener.failures).containsExactly(Reason.TIMEOUT);
      assertThat(server.openStreams()).isZero();
      server.release();
      runAfter(Duration.ofMillis(800));
      assertThat(sink.changes).containsExactly("replace [a@1]");
    }

    /** B3: a slow list is not a dead one; also if exactly one step's fill arrives at a time. */
    @Test
    void givesAListTimeAsLongAsItBringsSomething() {
      server.scriptNextList(new FeedEvent.Opened());
      run();
      for (int piece : new int[] {1, 500, 1, 1_000, 500}) {
        time.advance(Duration.ofSeconds(59));
        IntStream.range(0, piece).forEach(i -> server.send(new FeedEvent.Listed(json("o" + i, 1))));
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

    /** E2, P6: it is counted and logged; the others go on, in lists and in watches. */
    @Test
    void leavesMalformedObjectsOutAndGoesOn() {
      server.scriptNextList(
          new FeedEvent.Listed(json("a", 1)),
          new FeedEvent.Listed(FeedEvent.Json.of("{\"metadata\":{\"x\":\"CANARY\"}}")),
          new FeedEvent.Listed(json("b", 2)),
          new FeedEvent.ListEnd("5", ""));
      server.scriptNextWatch(
          new FeedEvent.Opened(),
          new FeedEvent.Modified(FeedEvent.Json.of("{\"metadata\":{\"name\":\"CANARY")),
          new FeedEvent.Modified(json("a", 6)));
      run();
      assertThat(sink.changes).containsExactly("replace [a@1, b@2]", "updated a@6");
      assertThat(listener.skipped).hasSize(2);
      assertThat(listener.failures).isEmpty();
      assertThat(warnings()).hasSize(2).noneMatch(line -> line.contains("CANARY"));
    }

    @ParameterizedTest
    @EnumSource(
        value = FeedEvent.Type.class,
        names = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ENDED"})
    void takesAWatchEventInAListAsAFailure(FeedEvent.Type type) {
      server.scriptNextList(
          switch (type) {
            case ADDED -> new FeedEvent.Added(json("a", 1));
            case MODIFIED -> new FeedEvent.Modified(json("a", 1));
            case DELETED -> new FeedEvent.Deleted(json("a", 1));
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
      server.scriptNextWatch(new FeedEvent.Listed(json("a", 1)));
      runAfter(Duration.ofMillis(800));
      assertThat(listener.failures).containsExactly(Reason.MALFORMED, Reason.MALFORMED);
    }

    /** A bug behind the sink: nothing leaks, nothing is lost, and it does not spin. */
    @Test
    void startsOverWithAListWhenAStepBreaksOff() {
      put("a");
      sink.failures = 1;
      assertThatThrownBy(ReflectorTest.this::run).hasMessage("the sink is broken");
      assertThat(server.openStreams()).isZero();
      assertThat(reflector.trouble()).isPresent();
      assertThat(run()).isEqualTo(Duration.ofMillis(800));
      runAfter(Duration.ofMillis(800));
      assertThat(sink.changes).containsExactly("replace [a@1]");
      assertThat(reflector.trouble()).isEmpty();

      put("b");
      sink.failures = 1;
      assertThatThrownBy(ReflectorTest.this::run).hasMessage("the sink is broken");
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
      Reflector<ConfigMap> other =
          new Reflector<>(
              unclosable, ConfigMaps.DECODER, sink, time, () -> randomBits, listener, () -> {});
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
              "Can't list objects of the test: This identity may not read the resource. Grant it"
                  + " the verbs list and watch in a Role or ClusterRole. (HTTP 403: test) Next try in"
                  + " 0.8 s.");
      while (time.nanoTime() < Duration.ofSeconds(119).toNanos()) {
        assertThat(warnings()).hasSize(1);
        rest = runAfter(rest);
      }
      while (time.nanoTime() < Duration.ofMinutes(10).toNanos()) {
        rest = runAfter(rest);
      }
      assertThat(warnings()).hasSizeBetween(5, 6);
    }

    /** A10: lists that work in between do not make it news each time. */
    @Test
    void staysQuietWhileListsSucceedAndWatchesFail() {
      IntStream.range(0, 1_000).forEach(i -> server.failNextWatch(status(404)));
      Duration rest = run();
      while (time.nanoTime() < Duration.ofSeconds(119).toNanos()) {
        assertThat(log.list).as("one failure, one end").hasSizeLessThanOrEqualTo(2);
        assertThat(reflector.trouble()).isPresent();
        rest = runAfter(rest);
      }
      assertThat(server.lists()).hasSizeGreaterThan(5);
    }

    /** What comes after good news is news. */
    @Test
    void logsTheSameFailureAgainAfterAWatchThatWorked() {
      run();
      for (int i = 1; i <= 3; i++) {
        server.dropWatches();
        runAfter(run());
        put("a");
        run();
        assertThat(warnings()).hasSize(i);
      }
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
      assertThat(reflector.trouble()).map(FeedFailure::reason).contains(Reason.UNKNOWN_TYPE);
      runAfter(rest);
      assertThat(reflector.trouble()).isEmpty();
      server.dropWatches();
      rest = run();
      assertThat(reflector.trouble()).map(FeedFailure::reason).contains(Reason.UNREACHABLE);
      server.hold();
      runAfter(rest);
      assertThat(reflector.trouble()).as("asked, but not answered").isPresent();
      server.release();
      run();
      assertThat(reflector.trouble()).isEmpty();
      assertThat(log.list.get(log.list.size() - 1).getFormattedMessage())
          .isEqualTo("objects of the test: up to date again after UNREACHABLE");
    }

    /** P10: what the server says is cut, and can't forge lines of the log. */
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
