// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.testing.core.Eventually;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.time.Pause;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps by hand on virtual time; with its thread only where that is the point. */
@Timeout(30)
final class DefaultEventRecorderTest {

  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** An API server that remembers what it is sent, and fails as long as the test says. */
  private static final class FakeSink implements EventSink {
    final List<Event> created = new ArrayList<>();
    final List<Event> updated = new ArrayList<>();
    int calls;
    boolean forgetful;
    @Nullable RuntimeException failure;

    private void answer() {
      calls++;
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public synchronized void create(Event event) {
      answer();
      created.add(event);
    }

    @Override
    public synchronized boolean update(Event event) {
      answer();
      if (forgetful) {
        return false;
      }
      updated.add(event);
      return true;
    }
  }

  private final ManualScheduler time = new ManualScheduler();
  private final FakeSink sink = new FakeSink();
  private final DefaultEventRecorder recorder = recorder("sample-controller", sink);
  private final Foo foo = Samples.foo("example-foo");

  private DefaultEventRecorder recorder(String component, EventSink to) {
    return new DefaultEventRecorder(component, to, time, time.clock(), Thread::new);
  }

  private static KubernetesClientException status(int code) {
    return new KubernetesClientException("status " + code, code, null);
  }

  /** Steps until there is nothing to do now; returns how long the loop would rest. */
  private Pause runOut() {
    Pause pause = recorder.run();
    while (pause.equals(Pause.NONE)) {
      pause = recorder.run();
    }
    return pause;
  }

  private void synced() {
    recorder.normal(foo, "Synced", "Foo synced successfully");
  }

  /** 001-25, 001-26, 001-79. */
  @Test
  void sendsWhatKubectlDescribeShows() {
    time.advance(Duration.ofSeconds(1));
    synced();
    assertThat(sink.calls).as("not by the caller's thread").isZero();
    assertThat(runOut()).isEqualTo(Pause.UNTIL_WOKEN);
    Event event = sink.created.get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getReason()).isEqualTo("Synced");
    assertThat(event.getMessage()).isEqualTo("Foo synced successfully");
    assertThat(event.getSource().getComponent()).isEqualTo("sample-controller");
    assertThat(event.getCount()).isEqualTo(1);
    assertThat(event.getFirstTimestamp()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(event.getLastTimestamp()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
    assertThat(event.getMetadata().getName()).startsWith("example-foo.");
    assertThat(event.getInvolvedObject().getApiVersion())
        .isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(event.getInvolvedObject().getKind()).isEqualTo("Foo");
    assertThat(event.getInvolvedObject().getNamespace()).isEqualTo("default");
    assertThat(event.getInvolvedObject().getName()).isEqualTo("example-foo");
    assertThat(event.getInvolvedObject().getUid()).isEqualTo("example-foo-uid");
  }

  @Test
  void tellsWarningsFromWhatIsNormal() {
    recorder.warning(foo, "ErrResourceExists", "taken");
    runOut();
    assertThat(sink.created.get(0).getType()).isEqualTo("Warning");
  }

  private static ClusterRole role(String name) {
    return new ClusterRoleBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  /** The API server takes Events of objects without a namespace in namespace default only. */
  @Test
  void putsEventsOfClusterScopedObjectsIntoDefault() {
    recorder.normal(role("admin"), "Bound", "m");
    runOut();
    assertThat(sink.created.get(0).getMetadata().getNamespace()).isEqualTo("default");
    assertThat(sink.created.get(0).getInvolvedObject().getNamespace()).isNull();
  }

  private record Name(String object, String prefix) {}

  /** Some objects have names that an Event can't have. */
  static Stream<Name> names() {
    return Stream.of(
        new Name("a", "a."),
        new Name("example.foo-1", "example.foo-1."),
        new Name("system:controller:foo", "event."),
        new Name("Upper", "event."),
        new Name("a".repeat(200), "a".repeat(200) + "."),
        new Name("a".repeat(253), "event."));
  }

  @ParameterizedTest
  @MethodSource("names")
  void givesEventsNamesThatTheServerTakes(Name c) {
    recorder.normal(role(c.object()), "Bound", "m");
    runOut();
    assertThat(sink.created.get(0).getMetadata().getName())
        .startsWith(c.prefix())
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
        .hasSizeLessThanOrEqualTo(253);
    assertThat(sink.created.get(0).getInvolvedObject().getName()).isEqualTo(c.object());
  }

  /** Also when the clock stands still, and also those of other recorders. */
  @Test
  void givesEachEventANameOfItsOwn() {
    DefaultEventRecorder other = recorder("other", sink);
    for (int i = 0; i < 10; i++) {
      recorder.normal(foo, "Reason", "message " + i);
      other.normal(foo, "Reason", "message " + i);
    }
    runOut();
    for (int i = 0; i < 10; i++) {
      other.run();
    }
    assertThat(sink.created)
        .hasSize(20)
        .extracting(event -> event.getMetadata().getName())
        .doesNotHaveDuplicates();
  }

  /** 001-80: one Event, whose count grows. */
  @Test
  void raisesTheCountOfWhatIsRepeated() {
    for (int i = 0; i < 3; i++) {
      synced();
      runOut();
      time.advance(Duration.ofSeconds(30));
    }
    assertThat(sink.created).hasSize(1);
    assertThat(sink.updated).extracting(Event::getCount).containsExactly(2, 3);
    Event last = sink.updated.get(1);
    assertThat(last.getMetadata().getName()).isEqualTo(sink.created.get(0).getMetadata().getName());
    assertThat(last.getFirstTimestamp()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(last.getLastTimestamp()).isEqualTo("1970-01-01T00:01:00Z");
  }

  @Test
  void countsOnlyWhatIsEqual() {
    synced();
    recorder.warning(foo, "Synced", "Foo synced successfully");
    recorder.normal(foo, "Other", "Foo synced successfully");
    recorder.normal(foo, "Synced", "other");
    recorder.normal(Samples.foo("other"), "Synced", "Foo synced successfully");
    runOut();
    assertThat(sink.created).hasSize(5);
    assertThat(sink.updated).isEmpty();
  }

  /** Events live for an hour on the server; the next one begins anew. */
  @Test
  void createsAnewWhatTheServerHasForgotten() {
    synced();
    runOut();
    sink.forgetful = true;
    time.advance(Duration.ofHours(2));
    synced();
    runOut();
    assertThat(sink.created).hasSize(2).extracting(Event::getCount).containsExactly(1, 1);
    assertThat(sink.created)
        .extracting(event -> event.getMetadata().getName())
        .doesNotHaveDuplicates();
    sink.forgetful = false;
    synced();
    runOut();
    assertThat(sink.updated).extracting(Event::getCount).containsExactly(2);
  }

  /** client-go events_cache.go: 25, then one per 5 minutes; per object. */
  @Test
  void limitsWhatOneObjectMaySay() {
    for (int i = 0; i < 30; i++) {
      recorder.normal(foo, "Reason", "message " + i);
    }
    runOut();
    assertThat(sink.created).hasSize(25);
    assertThat(recorder.dropped()).isEqualTo(5);
    recorder.normal(Samples.foo("other"), "Reason", "message");
    runOut();
    assertThat(sink.created).hasSize(26);
    time.advance(Duration.ofMinutes(5));
    recorder.normal(foo, "Reason", "later");
    recorder.normal(foo, "Reason", "too much");
    runOut();
    assertThat(sink.created).hasSize(27);
    assertThat(recorder.dropped()).isEqualTo(6);
  }

  /** Objects of one name in two namespaces are two objects, uid or not. */
  @Test
  void limitsObjectsOfEachNamespaceApart() {
    for (String namespace : List.of("one", "two")) {
      Foo unborn = Samples.foo("x");
      unborn.getMetadata().setUid(null);
      unborn.getMetadata().setNamespace(namespace);
      for (int i = 0; i < 25; i++) {
        recorder.normal(unborn, "Reason", "message " + i);
      }
    }
    runOut();
    assertThat(sink.created).hasSize(50);
  }

  /** After a restart every object may have something to say: 100 at once and then 50 per second. */
  @Test
  void limitsWhatItSendsAltogether() {
    for (int i = 0; i < 300; i++) {
      recorder.normal(Samples.foo("foo-" + i), "Reason", "message");
    }
    Pause pause = runOut();
    assertThat(sink.created).hasSize(100);
    for (int i = 0; i < 50; i++) {
      time.advance(pause.limit().orElseThrow());
      pause = runOut();
    }
    assertThat(time.nanoTime()).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(sink.created).hasSize(150);
  }

  /** P8. */
  @Test
  void dropsAndCountsWhatDoesNotFitIntoItsQueue() {
    for (int i = 0; i < DefaultEventRecorder.CAPACITY + 7; i++) {
      recorder.normal(Samples.foo("foo-" + i), "Reason", "message");
    }
    assertThat(recorder.dropped()).isEqualTo(7);
    assertThat(sink.calls).isZero();
  }

  private record Failure(String kind, RuntimeException failure, boolean temporary) {
    @Override
    public String toString() {
      return kind;
    }
  }

  static Stream<Failure> failures() {
    return Stream.of(
        new Failure("no answer", new KubernetesClientException("reset"), true),
        new Failure("throttled", status(429), true),
        new Failure("trouble of the server", status(503), true),
        new Failure("forbidden", status(403), false),
        new Failure("invalid", status(422), false),
        new Failure("a bug below", new IllegalStateException("client is closed"), false));
  }

  /** client-go: 12 tries, 10 s apart; and none of what will never work. */
  @ParameterizedTest
  @MethodSource("failures")
  void triesAgainWhatMayWorkLater(Failure c) {
    synced();
    recorder.normal(foo, "Second", "waits behind");
    sink.failure = c.failure();
    if (!c.temporary()) {
      assertThat(recorder.run()).isEqualTo(Pause.NONE);
      assertThat(sink.calls).isEqualTo(1);
    } else {
      for (int i = 1; i < 12; i++) {
        assertThat(recorder.run()).isEqualTo(Pause.of(TEN));
        assertThat(sink.calls).isEqualTo(i);
        time.advance(TEN);
      }
      assertThat(recorder.run()).isEqualTo(Pause.NONE);
      assertThat(sink.calls).isEqualTo(12);
    }
    assertThat(recorder.dropped()).isEqualTo(1);
    sink.failure = null;
    assertThat(runOut()).isEqualTo(Pause.UNTIL_WOKEN);
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
      assertThat(recorder.run()).isEqualTo(Pause.of(TEN));
    }
    assertThat(sink.calls).isEqualTo(1);
    time.advance(TEN.minusSeconds(1));
    assertThat(recorder.run()).isEqualTo(Pause.of(Duration.ofSeconds(1)));
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
    assertThat(recorder.run()).isEqualTo(Pause.NONE);
    sink.failure = null;
    synced();
    runOut();
    assertThat(recorder.dropped()).isZero();
    assertThat(sink.created).isEmpty();
    assertThat(sink.updated).extracting(Event::getCount).containsExactly(2);
  }

  private record Incomplete(String what, Foo foo) {
    @Override
    public String toString() {
      return what;
    }
  }

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
    assertThat(runOut()).isEqualTo(Pause.UNTIL_WOKEN);
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

  /** 001-26: neither a slow nor a dead server holds up those who record. */
  @Test
  void neverBlocksTheCaller() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    EventSink stuck =
        new EventSink() {
          @Override
          public void create(Event event) {
            reached.countDown();
            boolean released = false;
            while (!released) {
              try {
                release.await();
                released = true;
              } catch (InterruptedException e) {
                // as a request that does not listen
              }
            }
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
}
