// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lists that arrive as a stream, and the fall-back to pages. Covers docs/reliability.md, A1, A6,
 * A11, B1, B2 and C9.
 */
final class ReflectorStreamTest extends ReflectorHarness {

  @BeforeEach
  void streams() {
    server.streamLists(true);
  }

  @Test
  void goesOnWithTheChangesOnTheSameConnection() {
    put("a");
    put("b");
    run();
    put("c");
    run();
    assertThat(sink.changes).containsExactly("replace [a@1, b@2]", "added c@3");
    assertThat(server.lists()).isEmpty();
    assertThat(server.watches())
        .singleElement()
        .satisfies(request -> assertThat(request.initialEvents()).isTrue());
    assertThat(listener.streams).containsExactly(true);
    assertThat(reflector.problem()).isEmpty();
  }

  /** The server keeps the stream open for ten minutes; that is too long for a dead one. */
  @Test
  void opensAWatchOfItsOwnAfter20To30Seconds() {
    put("a");
    Duration wait = run();
    assertThat(wait).isEqualTo(Duration.ofSeconds(20));
    runAfter(wait);
    assertThat(watchedFrom()).containsExactly("", "1");
    assertThat(server.watches().get(1).initialEvents()).isFalse();
    assertThat(listener.failures).isEmpty();
    assertThat(server.openStreams()).isEqualTo(1);
  }

  @Test
  void takesChangesThatComeBeforeTheEndOfTheList() {
    server.scriptNextWatch(
        new FeedEvent.Opened(),
        FeedEvent.added(json("a", 1)),
        FeedEvent.added(json("b", 2)),
        FeedEvent.added(json("c", 3)),
        FeedEvent.modified(json("a", 4)),
        FeedEvent.deleted(json("b", 5)),
        new FeedEvent.Bookmark("5"),
        FeedEvent.modified(json("d", 6)),
        new FeedEvent.Bookmark("6", true));
    run();
    assertThat(sink.changes).containsExactly("replace [c@3, a@4, d@6]");
  }

  /** Long lists come in many small pieces, and to be woken for each costs more than to read it. */
  @Test
  void looksAtALongListEveryFiveMilliseconds() {
    server.scriptNextWatch(added(ListReader.MANY));
    assertThat(run()).isEqualTo(ListReader.GATHER).isEqualTo(Duration.ofMillis(5));
    server.send(FeedEvent.added(json("late", 2)));
    server.send(new FeedEvent.Bookmark("2", true));
    time.advance(ListReader.GATHER.minusNanos(1));
    assertThat(run()).as("what is left").isEqualTo(Duration.ofNanos(1));
    assertThat(sink.changes).isEmpty();
    runAfter(Duration.ofNanos(1));
    assertThat(sink.replaced).hasSize(ListReader.MANY + 1);
  }

  /** What follows may take its time: nobody looks again and again for nothing. */
  @Test
  void waitsForMoreOfALongListOnceNothingHasCome() {
    server.scriptNextWatch(added(ListReader.MANY));
    Duration silence = runAfter(run());
    assertThat(silence).isEqualTo(ListReader.STREAM_SILENCE.minus(ListReader.GATHER));
    server.send(FeedEvent.added(json("late", 2)));
    server.send(new FeedEvent.Bookmark("2", true));
    run();
    assertThat(sink.replaced).hasSize(ListReader.MANY + 1);
  }

  @Test
  void looksAtAShortListAsItComes() {
    server.scriptNextWatch(added(ListReader.MANY - 1));
    assertThat(run()).isEqualTo(ListReader.STREAM_SILENCE);
    server.send(new FeedEvent.Bookmark("2", true));
    run();
    assertThat(sink.replaced).hasSize(ListReader.MANY - 1);
  }

  /** A page is short, and the next one is not asked for before its end is read. */
  @Test
  void readsPagesAsTheyCome() {
    server.streamLists(false);
    server.scriptNextList(
        IntStream.range(0, ListReader.MANY)
            .mapToObj(i -> FeedEvent.listed(json("a" + i, 1)))
            .toArray(FeedEvent[]::new));
    assertThat(run()).isEqualTo(ListReader.SILENCE);
  }

  private static FeedEvent[] added(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> FeedEvent.added(json("a" + i, 1)))
        .toArray(FeedEvent[]::new);
  }

  /** If the end is missing, pages are read; after the second time, always. */
  @Test
  void readsPagesWhenTheListHasNoEnd() {
    put("a");
    for (int i = 0; i < 2; i++) {
      server.scriptNextWatch(new FeedEvent.Opened(), FeedEvent.added(json("a", 1)));
      Duration silence = i == 0 ? run() : runAfter(run());
      assertThat(silence).isEqualTo(ListReader.STREAM_SILENCE);
      assertThat(sink.changes).hasSize(i);
      runAfter(ListReader.STREAM_SILENCE);
      assertThat(sink.changes).hasSize(i + 1).last().isEqualTo("replace [a@1]");
      server.failWatches(status(404));
    }
    runAfter(run());
    assertThat(listener.streams).containsExactly(true, false, true, false, false);
    assertThat(warnings()).as("the 404 alone").hasSize(1);
  }

  /** One that had no end may have had a dead connection; one that has an end is trusted again. */
  @Test
  void forgetsAStreamWithoutEndWhenTheNextHasOne() {
    put("a");
    for (int i = 0; i < 2; i++) {
      server.scriptNextWatch(new FeedEvent.Opened());
      Duration silence = i == 0 ? run() : runAfter(run());
      assertThat(silence).isEqualTo(ListReader.STREAM_SILENCE);
      runAfter(silence);
      server.failWatches(status(404));
      runAfter(run());
      server.failWatches(status(404));
    }
    assertThat(listener.streams).containsExactly(true, false, true, true, false, true);
  }

  /** A server that treats the request as a plain watch continues with changes. */
  @Test
  void isNotPutOffByChangesWhileTheEndIsMissing() {
    server.scriptNextWatch(new FeedEvent.Opened(), FeedEvent.added(json("a", 1)));
    run();
    for (int i = 0; i < 3; i++) {
      time.advance(Duration.ofSeconds(10));
      server.send(FeedEvent.modified(json("a", 2 + i)));
      server.send(new FeedEvent.Bookmark(Integer.toString(2 + i)));
      run();
    }
    assertThat(listener.streams).containsExactly(true, false);
  }

  @Test
  void waitsAsLongAsObjectsArrive() {
    server.scriptNextWatch(new FeedEvent.Opened());
    run();
    for (int i = 1; i <= 10; i++) {
      time.advance(ListReader.STREAM_SILENCE.minusNanos(1));
      server.send(FeedEvent.added(json("a" + i, i)));
      run();
    }
    server.send(new FeedEvent.Bookmark("10", true));
    run();
    assertThat(sink.changes).hasSize(1);
    assertThat(listener.streams).containsExactly(true);
  }

  /** Servers before 1.27, and those with the feature switched off. */
  @ParameterizedTest
  @ValueSource(ints = {400, 422})
  void readsPagesAtOnceAndAlwaysIfTheServerDoesNotKnowStreams(int code) {
    put("a");
    server.failNextWatch(status(code));
    run();
    assertThat(sink.changes).containsExactly("replace [a@1]");
    assertThat(reflector.problem()).isEmpty();
    assertThat(warnings()).isEmpty();
    reflector.requestList();
    run();
    assertThat(listener.streams).containsExactly(true, false, false);
  }

  /** A missing CRD fails the pages as well, so the warning about them suffices. */
  @Test
  void logsOnceThatStreamsFailUntilAListIsComplete() {
    Duration wait = Duration.ZERO;
    for (int i = 0; i < 3; i++) {
      server.failNextWatch(status(404));
      server.failNextList(status(404));
      wait = runAfter(wait);
    }
    assertThat(refusedStreams()).isZero();
    for (int i = 0; i < 3; i++) {
      server.failNextWatch(status(500));
      server.failNextList(status(500));
      wait = runAfter(wait);
    }
    assertThat(refusedStreams()).isEqualTo(1);
    runAfter(wait);
    reflector.requestList();
    server.failNextWatch(status(500));
    run();
    assertThat(refusedStreams()).isEqualTo(2);
  }

  private long refusedStreams() {
    return logged().stream().filter(line -> line.contains("failed to stream the list")).count();
  }

  /** Whatever else is wrong with streams may be over next time. */
  @ParameterizedTest
  @ValueSource(ints = {403, 404, 410, 500, 504})
  void readsPagesOnceIfAStreamFails(int code) {
    put("a");
    server.failNextWatch(status(code));
    run();
    assertThat(sink.changes).containsExactly("replace [a@1]");
    reflector.requestList();
    run();
    assertThat(listener.streams).containsExactly(true, false, true);
  }

  /** Pages would fail as well. */
  @ParameterizedTest
  @ValueSource(ints = {401, 429, 0})
  void triesTheStreamAgainIfThatMayHelp(int code) {
    put("a");
    server.failNextWatch(code == 0 ? failure(Reason.UNREACHABLE) : status(code));
    Duration rest = run();
    assertThat(rest).isEqualTo(Duration.ofMillis(800));
    assertThat(reflector.problem()).isPresent();
    runAfter(rest);
    assertThat(listener.streams).containsExactly(true, true);
    assertThat(sink.changes).containsExactly("replace [a@1]");
  }

  @Test
  void forgetsAListThatBreaksOffInItsMiddle() {
    put("z");
    server.scriptNextWatch(
        new FeedEvent.Opened(),
        FeedEvent.added(json("a", 1)),
        new FeedEvent.Failed(failure(Reason.UNREACHABLE)));
    runAfter(run());
    assertThat(sink.changes).containsExactly("replace [z@1]");
  }

  @Test
  void readsPagesIfTheServerEndsTheStreamBeforeTheList() {
    put("z");
    server.scriptNextWatch(
        new FeedEvent.Opened(), FeedEvent.added(json("a", 1)), new FeedEvent.Ended());
    run();
    assertThat(sink.changes).containsExactly("replace [z@1]");
    assertThat(server.lists()).hasSize(1);
  }

  /** A relist costs no memory for what is known already. */
  @Test
  void keepsTheKnownStateOfAnObjectThatDidNotChange() {
    CachedObject<ConfigMap> known = ConfigMaps.decode(ConfigMaps.json("a", "u", "7"));
    Reflector<ConfigMap> other =
        reflector(
            server,
            Duration.ZERO,
            new KnownObjects<>() {
              @Override
              public CachedObject<ConfigMap> get(ObjectKey key) {
                return known;
              }

              @Override
              public Collection<ObjectKey> keys() {
                return List.of(known.key());
              }
            });
    server.scriptNextWatch(
        new FeedEvent.Opened(),
        FeedEvent.added(FeedEvent.Json.of(ConfigMaps.json("a", "u", "7"))),
        new FeedEvent.Bookmark("9", true));
    server.scriptNextWatch(
        new FeedEvent.Opened(),
        FeedEvent.added(FeedEvent.Json.of(ConfigMaps.json("a", "u", "8"))),
        new FeedEvent.Bookmark("9", true));
    other.run();
    other.run();
    assertThat(sink.replaced).singleElement().isSameAs(known);
    other.requestList();
    other.run();
    other.run();
    other.run();
    assertThat(sink.replaced).singleElement().isNotSameAs(known);
    other.close();
  }

  /** Nothing would bring it back, until it changes the next time. */
  @Test
  void keepsAnObjectThatWasDeletedAndCreatedAnewDuringTheList() {
    server.scriptNextWatch(
        new FeedEvent.Opened(),
        FeedEvent.added(json("a", 1)),
        FeedEvent.added(json("b", 2)),
        FeedEvent.deleted(json("a", 3)),
        FeedEvent.added(json("a", 4)),
        new FeedEvent.Bookmark("5", true));
    run();
    assertThat(sink.changes).containsExactly("replace [b@2, a@4]");
  }
}
