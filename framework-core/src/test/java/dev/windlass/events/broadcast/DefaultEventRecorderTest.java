// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static dev.windlass.events.broadcast.FakeSink.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.windlass.events.EventRecorder;
import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.failure.FailureCause;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps by hand on virtual time; with its thread only where that is the point. */
@Timeout(30)
final class DefaultEventRecorderTest {

  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @AutoClose private final Logs logs = Logs.of(EventRecorder.class);
  private final ManualScheduler time = new ManualScheduler();
  private final FakeSink sink = new FakeSink();
  private final DefaultEventRecorder recorder = recorder("sample-controller", sink);
  private final Foo foo = Samples.foo("example-foo");

  private DefaultEventRecorder recorder(String component, EventSink to) {
    return new DefaultEventRecorder(
        component, "pod-1", to, time, time.clock(), Thread::new, EventBroadcaster.PER_SECOND);
  }

  /** Steps until there is nothing to do now; returns how long the loop would rest. */
  private StepDelay runOut() {
    StepDelay pause = recorder.run();
    while (pause.equals(StepDelay.NONE)) {
      pause = recorder.run();
    }
    return pause;
  }

  private void sendSynced() {
    synced();
    runOut();
  }

  private void synced() {
    recorder.normal(foo, "Synced", "Foo synced successfully");
  }

  @Test
  void sendsOnItsOwnTurn() {
    synced();
    assertThat(sink.calls).as("not by the caller's thread").isZero();
    assertThat(runOut()).isEqualTo(StepDelay.UNTIL_WOKEN);
    Event event = sink.created.get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getReason()).isEqualTo("Synced");
    assertThat(event.getAction()).as("by default the reason").isEqualTo("Synced");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getReportingInstance()).isEqualTo("pod-1");
  }

  @Test
  void sendsTheActionAndTheRelatedObject() {
    recorder.record(foo, EventType.NORMAL, "Scaled", "ScaleUp", "m");
    recorder.record(foo, Samples.foo("other"), EventType.NORMAL, "Scaled", "ScaleUp", "m");
    runOut();
    assertThat(sink.created).extracting(Event::getAction).containsExactly("ScaleUp", "ScaleUp");
    assertThat(sink.created.get(0).getRelated()).isNull();
    assertThat(sink.created.get(1).getRelated().getName()).isEqualTo("other");
  }

  @Test
  void raisesTheCountOfWhatIsRepeated() {
    for (int i = 0; i < 3; i++) {
      sendSynced();
      time.advance(Duration.ofSeconds(30));
    }
    assertThat(sink.created).hasSize(1);
    assertThat(sink.counts()).containsExactly(2, 3);
    Event last = sink.updated.get(1);
    assertThat(last.getMetadata().getName()).isEqualTo(sink.created.get(0).getMetadata().getName());
    assertThat(last.getSeries().getLastObservedTime().getTime())
        .isEqualTo("1970-01-01T00:01:00.000000Z");
  }

  /** Somebody has deleted it, or the server keeps Events for minutes only. */
  @Test
  void createsAgainWhatTheServerHasForgotten() {
    sendSynced();
    sink.forgetful = true;
    sendSynced();
    assertThat(sink.created).hasSize(2);
    assertThat(sink.created.get(1).getSeries().getCount()).isEqualTo(2);
    assertThat(sink.created)
        .extracting(event -> event.getMetadata().getName())
        .doesNotHaveDuplicates();
    sink.forgetful = false;
    sendSynced();
    assertThat(sink.counts()).containsExactly(3);
  }

  /** What an object may not tell at once comes later, without anybody saying anything more. */
  @Test
  void tellsLaterWhatItMayNotTellNow() {
    for (int i = 0; i < 30; i++) {
      sendSynced();
    }
    assertThat(sink.counts()).hasSize(24);
    for (int i = 0; i < 10; i++) {
      time.advance(runOut().limit().orElseThrow());
    }
    assertThat(runOut()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(sink.counts()).hasSize(25).endsWith(30);
    assertThat(recorder.dropped()).isZero();
  }

  /** After a restart every object may have something to say: 100 at once and then 50 per second. */
  @Test
  void limitsWhatItSendsAltogether() {
    for (int i = 0; i < 300; i++) {
      recorder.normal(Samples.foo("foo-" + i), "Reason", "message");
    }
    StepDelay pause = runOut();
    assertThat(sink.created).hasSize(100);
    for (int i = 0; i < 50; i++) {
      time.advance(pause.limit().orElseThrow());
      pause = runOut();
    }
    assertThat(time.nanoTime()).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(sink.created).hasSize(150);
  }

  private record Failure(String kind, RuntimeException failure, boolean temporary) {}

  static Stream<Failure> failures() {
    return Stream.of(
        new Failure("no answer", new KubernetesClientException("reset"), true),
        new Failure("throttled", status(429), true),
        new Failure("a collision", status(409), true),
        new Failure("trouble of the server", status(503), true),
        new Failure("forbidden", status(403), false),
        new Failure("invalid", status(422), false),
        new Failure("a bug below", new IllegalStateException("client is closed"), false));
  }

  /** client-go: 12 tries, 10 s apart; and none of what will never work. */
  @ParameterizedTest
  @MethodSource("failures")
  void triesAgainWhatMayWorkLater(Failure c) {
    sendSynced();
    sink.created.clear();
    sink.calls = 0;
    synced(); // a patch: a create that collides is taken for done
    recorder.normal(foo, "Second", "waits behind");
    sink.failure = c.failure();
    if (!c.temporary()) {
      assertThat(recorder.run()).isEqualTo(StepDelay.NONE);
      assertThat(sink.calls).isEqualTo(1);
    } else {
      for (int i = 1; i < 12; i++) {
        assertThat(recorder.run()).isEqualTo(StepDelay.of(TEN));
        assertThat(sink.calls).isEqualTo(i);
        time.advance(TEN);
      }
      assertThat(recorder.run()).isEqualTo(StepDelay.NONE);
      assertThat(sink.calls).isEqualTo(12);
    }
    assertThat(recorder.dropped()).isEqualTo(1);
    sink.failure = null;
    assertThat(runOut()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(sink.created).extracting(Event::getReason).containsExactly("Second");
  }

  /** Each event that comes wakes the loop; that must not use up the tries of the first. */
  @Test
  void keepsThePauseBetweenTriesHoweverOftenItIsWoken() {
    synced();
    sink.failure = status(503);
    recorder.run();
    for (int i = 0; i < 20; i++) {
      recorder.normal(Samples.foo("foo-" + i), "Reason", "message");
      assertThat(recorder.run()).isEqualTo(StepDelay.of(TEN));
    }
    assertThat(sink.calls).isEqualTo(1);
    time.advance(TEN.minusSeconds(1));
    assertThat(recorder.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(1)));
    sink.failure = null;
    time.advance(Duration.ofSeconds(1));
    runOut();
    assertThat(sink.created).hasSize(21);
  }

  /** An answer that was lost is no failure: the Event is there, and its count goes on from 1. */
  @Test
  void takesAnEventThatExistsForItsOwn() {
    synced();
    sink.failure = new KubernetesClientException("reset");
    recorder.run();
    time.advance(TEN);
    sink.failure = status(409);
    assertThat(recorder.run()).isEqualTo(StepDelay.NONE);
    sink.failure = null;
    sendSynced();
    assertThat(recorder.dropped()).isZero();
    assertThat(sink.created).isEmpty();
    assertThat(sink.counts()).containsExactly(2);
  }

  /** Nobody knows which count the server has then, so it is told again. */
  @Test
  void tellsTheCountAgainWhenTheFirstAnswerWasLost() {
    synced();
    sink.failure = new KubernetesClientException("reset");
    recorder.run();
    synced();
    time.advance(TEN);
    sink.failure = status(409);
    assertThat(recorder.run()).isEqualTo(StepDelay.NONE);
    sink.failure = null;
    runOut();
    assertThat(sink.counts()).containsExactly(2);
  }

  /** The Event would go with its object; nobody has to do anything. */
  @Test
  void losesEventsOfAnEndingNamespaceWithoutAWarning() {
    Status ending =
        new StatusBuilder()
            .withNewDetails()
            .addNewCause(
                "metadata.namespace",
                "namespace default is being terminated",
                "NamespaceTerminating")
            .endDetails()
            .build();
    sink.failure = new KubernetesClientException("no", 403, ending);
    sendSynced();
    assertThat(logs.lines()).noneMatch(line -> line.startsWith("WARN"));
    assertThat(recorder.dropped()).isEqualTo(1);
  }

  /** It is logged once, in one sentence on one line, and repeated after two minutes. */
  @Test
  void saysOnceThatEventsAreLost() {
    sink.failure = new KubernetesClientException("not\nallowed", 403, null);
    for (int i = 0; i < 10; i++) {
      recorder.normal(Samples.foo("foo\n" + i), "Reason", "message");
      runOut();
    }
    String once =
        "WARN Dropped an Event about Foo default/foo\\u000a0: Permission denied. Grant this"
            + " identity the verbs create and patch on events of the group events.k8s.io in"
            + " namespace default in a Role or ClusterRole. (not\\u000aallowed)";
    assertThat(logs.lines()).filteredOn(line -> line.startsWith("WARN")).containsExactly(once);
    time.advance(LostEventsLog.REMINDER);
    recorder.normal(Samples.foo("still"), "Reason", "not allowed, as the program knows by now");
    runOut();
    Status said = new StatusBuilder().withMessage("of the server").build();
    sink.failure = new KubernetesClientException("of fabric8", 422, said);
    sendSynced();
    assertThat(logs.lines())
        .filteredOn(line -> line.startsWith("WARN"))
        .containsExactly(
            once,
            "WARN Dropped an Event about Foo default/example-foo: "
                + FailureCause.INVALID.sentence()
                + " (of the server)");
    assertThat(recorder.dropped()).isEqualTo(12);
  }

  private record Incomplete(String what, Foo foo) {}

  @SuppressWarnings("NullAway") // what a careless caller does
  static Stream<Incomplete> incomplete() {
    Foo bare = new Foo();
    bare.setMetadata(null);
    Foo nameless = new Foo();
    nameless.setMetadata(new ObjectMeta());
    return Stream.of(
        new Incomplete("no metadata", bare),
        new Incomplete("no name", nameless),
        new Incomplete("null", null));
  }

  /** A call never fails: a reconcile must not die of what it wanted to say. */
  @ParameterizedTest
  @MethodSource("incomplete")
  void dropsAndCountsEventsAboutWhatHasNoName(Incomplete c) {
    assertThatCode(() -> recorder.normal(c.foo(), "Reason", "message")).doesNotThrowAnyException();
    assertThat(recorder.dropped()).isEqualTo(1);
    assertThat(runOut()).isEqualTo(StepDelay.UNTIL_WOKEN);
    assertThat(sink.calls).isZero();
  }

  /** {@code e.getMessage()} may be null, and an object may lack what the server would know. */
  @Test
  @SuppressWarnings("NullAway")
  void sendsEventsWithoutAMessageOrUidOrKind() {
    Foo unborn = Samples.foo("unborn");
    unborn.getMetadata().setUid(null);
    unborn.setKind(null);
    recorder.record(unborn, EventType.WARNING, "Failed", null);
    runOut();
    assertThat(sink.created).hasSize(1);
  }

  /** A server that does not answer must not hold up the end of the program. */
  @Test
  void givesUpARequestThatHangsAtAStop() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    EventSink hung =
        new EventSink() {
          @Override
          public void create(Event event) {
            reached.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new KubernetesClientException("interrupted");
            }
          }

          @Override
          public boolean update(Event event) {
            return true;
          }
        };
    DefaultEventRecorder slow = recorder("slow", hung);
    slow.start();
    slow.normal(foo, "Reason", "message");
    reached.await();
    slow.stop(Duration.ofMillis(20));
    assertThat(slow.stop(LIMIT)).isTrue();
  }

  @Test
  void neverBlocksTheCaller() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    EventSink stuck =
        new EventSink() {
          @Override
          public void create(Event event) {
            reached.countDown();
            Eventually.stuckUntil(() -> release.getCount() == 0);
          }

          @Override
          public boolean update(Event event) {
            return true;
          }
        };
    DefaultEventRecorder slow = recorder("slow", stuck);
    slow.start();
    slow.normal(foo, "Reason", "message");
    reached.await();
    for (int i = 0; i < 1000; i++) {
      slow.normal(Samples.foo("foo-" + i), "Reason", "message");
    }
    assertThat(slow.stop(Duration.ofMillis(20))).as("the request hangs still").isFalse();
    release.countDown();
    assertThat(slow.stop(LIMIT)).isTrue();
  }

  @Test
  void sendsByItsOwnThreadWhatItIsGiven() throws Exception {
    recorder.start();
    synced();
    Eventually.that(
        () -> {
          synchronized (sink) {
            assertThat(sink.created).hasSize(1);
          }
        });
    assertThat(recorder.stop(LIMIT)).isTrue();
  }

  /** The last words of a program are often the ones that matter. */
  @Test
  void sendsAtAStopWhatWaits() throws Exception {
    for (int i = 0; i < 20; i++) {
      recorder.normal(foo, "Reason", "message " + i);
    }
    recorder.start();
    assertThat(recorder.stop(LIMIT)).isTrue();
    assertThat(sink.created).hasSize(20);
    assertThat(recorder.dropped()).isZero();
  }

  @Test
  void sendsAtAStopWhatItHasCounted() throws Exception {
    for (int i = 0; i < 30; i++) {
      sendSynced();
    }
    recorder.start();
    assertThat(recorder.stop(LIMIT)).isTrue();
    assertThat(sink.counts()).endsWith(30);
  }

  /** But a server that does not answer is asked once only. */
  @Test
  void givesUpAtAStopWhatTheServerDoesNotTake() throws Exception {
    sink.failure = status(503);
    for (int i = 0; i < 20; i++) {
      recorder.normal(foo, "Reason", "message " + i);
    }
    recorder.run();
    recorder.start();
    assertThat(recorder.stop(LIMIT)).isTrue();
    assertThat(sink.calls).isLessThanOrEqualTo(3);
    assertThat(sink.created).isEmpty();
    assertThat(recorder.dropped()).isEqualTo(20);
  }

  @Test
  void stopsAgainAndWithoutAStart() throws Exception {
    assertThat(recorder.stop(LIMIT)).isTrue();
    assertThat(recorder.stop(LIMIT)).isTrue();
  }

  /** Once, and again every two minutes while it goes on. */
  @Test
  void saysThatTooManyWait() {
    sink.failure = status(503);
    for (int i = 0; i < EventCorrelator.CAPACITY + 3; i++) {
      recorder.normal(Samples.foo("foo-" + i), "Synced", "m");
    }
    recorder.run();
    recorder.normal(Samples.foo("later"), "Synced", "m");
    recorder.run();
    time.advance(LostEventsLog.REMINDER);
    recorder.run();
    assertThat(logs.lines())
        .filteredOn(line -> line.contains("waiting"))
        .containsExactly(
            "WARN Dropped 3 Events, because more than 10000 were waiting to be sent; Warnings"
                + " are dropped last. If this continues, raise windlass.events.per-second, or"
                + " record fewer Events",
            "WARN Dropped 1 Events, because more than 10000 were waiting to be sent; Warnings"
                + " are dropped last. If this continues, raise windlass.events.per-second, or"
                + " record fewer Events");
  }
}
