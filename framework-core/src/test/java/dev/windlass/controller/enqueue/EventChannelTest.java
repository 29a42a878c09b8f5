// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Failures.raise;
import static dev.windlass.testing.core.Samples.foo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.keys.RequestGate;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class EventChannelTest {

  private final ManualScheduler time = new ManualScheduler();
  private final Threads threads = new Threads();
  private final InformerOptions options =
      InformerOptions.defaults().withScheduler(time).withThreads(threads);
  private final EventChannel<Foo> channel = Source.channel(Foo.class, 2, options);
  private final RecordingSink sink = new RecordingSink();
  private final List<Source.Running> running = new ArrayList<>();

  @AfterEach
  void leavesNoThread() throws InterruptedException {
    running.forEach(Source.Running::stop);
    threads.assertEnded();
  }

  private Source.Running start(Source source) {
    Source.Running begun = source.start(sink);
    running.add(begun);
    return begun;
  }

  private void expect(String... keys) {
    Eventually.that(() -> assertThat(sink.keys()).containsExactly(keys));
  }

  private interface Sending {
    boolean send() throws InterruptedException;
  }

  /** Sends on a thread of its own, and returns once that is blocked. */
  private CompletableFuture<Boolean> blocked(Sending sending) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread sender =
        threads.newThread(
            () -> {
              try {
                result.complete(sending.send());
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    sender.start();
    Eventually.that(() -> assertThat(sender.getState()).isEqualTo(Thread.State.WAITING));
    return result;
  }

  /** An event from outside leads to a reconcile, and says so. */
  @Test
  void requestsWhatIsSent() throws Exception {
    Source.Running source = start(channel);
    assertThat(source.hasSynced()).isTrue();
    channel.send(foo("a"));
    channel.send(Request.of("b"));
    expect("default/a", "b");
    assertThat(sink.added).allMatch(added -> added.priority().equals(Priority.NORMAL));
    Eventually.that(
        () -> assertThat(sink.causes).containsExactly("Foo default/a SENT", "channel b SENT"));
    Eventually.that(() -> assertThat(channel.waiting()).isZero());
  }

  /** Predicates and handlers are for objects; a request is one already. */
  @Test
  void takesObjectsThroughPredicateAndHandler() throws Exception {
    EventHandler<Foo> handler =
        (event, requests) -> requests.add(Request.of("of-" + event.key().name()));
    start(
        channel.to(
            EventHandler.<Foo>byType().generic(handler),
            event -> !event.key().name().equals("refused")));
    channel.send(foo("refused"));
    channel.send(foo("a"));
    channel.send(Request.of("refused"));
    expect("of-a", "refused");
  }

  /** Back-pressure: what does not fit waits with its sender. */
  @Test
  void blocksSendersWhileItIsFull() throws Exception {
    assertThat(channel.trySend(Request.of("a"))).isTrue();
    assertThat(channel.trySend(foo("b"))).isTrue();
    assertThat(channel.trySend(Request.of("c"))).isFalse();
    assertThat(channel.trySend(foo("c"))).isFalse();
    assertThat(channel.waiting()).isEqualTo(2);
    CompletableFuture<Boolean> sender =
        blocked(
            () -> {
              channel.send(Request.of("c"));
              return true;
            });
    assertThat(sender).isNotDone();
    start(channel);
    assertThat(sender.get()).isTrue();
    expect("a", "default/b", "c");
  }

  @Test
  void offersUntilTheLimitIsOver() throws Exception {
    assertThat(channel.offer(Request.of("a"), Duration.ZERO)).isTrue();
    assertThat(channel.offer(foo("b"), Duration.ZERO)).isTrue();
    assertThat(channel.offer(Request.of("c"), Duration.ZERO)).isFalse();
    CompletableFuture<Boolean> late =
        blocked(() -> channel.offer(Request.of("c"), Duration.ofSeconds(5)));
    time.advance(Duration.ofSeconds(5).minusNanos(1));
    assertThat(late).isNotDone();
    time.advance(Duration.ofNanos(1));
    assertThat(late.get()).isFalse();
    CompletableFuture<Boolean> inTime =
        blocked(() -> channel.offer(foo("d"), Duration.ofSeconds(5)));
    start(channel);
    assertThat(inTime.get()).isTrue();
    expect("a", "default/b", "default/d");
    assertThat(time.pending()).as("alarms that nobody needs").isEmpty();
  }

  @Test
  void sendsNothingForASenderThatIsInterrupted() throws Exception {
    channel.send(Request.of("a"));
    channel.send(Request.of("b"));
    CompletableFuture<Boolean> sender =
        blocked(
            () -> {
              channel.send(Request.of("c"));
              return true;
            });
    threads.get(threads.size() - 1).interrupt();
    assertThatThrownBy(sender::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    start(channel);
    expect("a", "b");
  }

  /** What was not taken in when the controller stopped waits for its next start. */
  @Test
  void keepsWhatIsSentBetweenAStopAndTheNextStart() throws Exception {
    Source.Running first = start(channel);
    first.stop();
    first.stop();
    channel.send(Request.of("a"));
    assertThat(sink.keys()).isEmpty();
    start(channel);
    expect("a");
    channel.send(Request.of("b"));
    expect("a", "b");
  }

  /** Nothing that the gate of a stopped run has dropped is lost. */
  @Test
  void takesInAgainWhatAStopCameBefore() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicReference<Boolean> slow = new AtomicReference<>(true);
    Source source =
        channel.to(
            (event, requests) -> {
              if (slow.getAndSet(false)) {
                entered.countDown();
                Eventually.await(release);
              }
              requests.add(new Request(event.key()));
            },
            EventPredicate.always());
    RequestGate gate = new RequestGate(sink);
    Source.Running first = source.start(gate);
    running.add(first);
    channel.send(foo("a"));
    entered.await();
    gate.close();
    first.stop();
    release.countDown();
    RecordingSink second = new RecordingSink();
    threads.get(0).join(20_000);
    assertThat(sink.keys()).as("after the stop").isEmpty();
    assertThat(channel.waiting()).isEqualTo(1);
    running.add(source.start(second));
    Eventually.that(() -> assertThat(second.keys()).containsExactly("default/a"));
  }

  /** So that no sender waits for a controller that never comes. */
  @Test
  void takesNothingMoreOnceItIsClosed() throws Exception {
    channel.send(Request.of("a"));
    channel.send(Request.of("b"));
    CompletableFuture<Boolean> sender =
        blocked(
            () -> {
              channel.send(Request.of("c"));
              return true;
            });
    CompletableFuture<Boolean> offering =
        blocked(() -> channel.offer(foo("d"), Duration.ofDays(1)));
    channel.close();
    channel.close();
    assertThatThrownBy(sender::get)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("the channel of foos.samplecontroller.k8s.io was closed");
    assertThat(offering.get()).isFalse();
    assertThat(time.pending()).isEmpty();
    Source.Running late = start(channel);
    assertThat(late.hasSynced()).isTrue();
    expect("a", "b");
    Eventually.that(() -> assertThat(channel.waiting()).isZero());
    assertThat(channel.trySend(Request.of("e"))).as("there is room").isFalse();
    assertThatThrownBy(() -> channel.send(foo("e"))).isInstanceOf(IllegalStateException.class);
  }

  /** A queue that ends first drops it, and says so. */
  @Test
  void keepsWhatTheQueueHasDropped() throws Exception {
    RequestGate queue = new RequestGate(sink);
    CountDownLatch dropped = new CountDownLatch(1);
    EventHandler<Foo> late =
        (event, requests) -> {
          queue.shut();
          requests.add(new Request(event.key()));
          dropped.countDown();
        };
    Source.Running first = channel.to(late, EventPredicate.always()).start(queue);
    running.add(first);
    channel.send(foo("a"));
    dropped.await();
    Eventually.that(() -> assertThat(threads.get(0).getState()).isEqualTo(Thread.State.WAITING));
    assertThat(channel.waiting()).isEqualTo(1);
    first.stop();
    start(channel);
    expect("default/a");
  }

  @Test
  void isForOneControllerAtATime() {
    Source.Running first = start(channel);
    assertThatThrownBy(() -> channel.start(sink))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the channel of foos.samplecontroller.k8s.io is in use: a channel serves one"
                + " controller at a time, so create another one");
    first.stop();
    start(channel);
  }

  /** As the manager tells when it has started. */
  @Test
  void saysWhatItIsWithAHandlerOfItsOwn() {
    assertThat(channel.to(EventHandler.self(), EventPredicate.always()))
        .hasToString("the channel of foos.samplecontroller.k8s.io");
    assertThat(Source.all().over(() -> raise(new AssertionError("asked at a trigger"))))
        .hasToString("the source of everything");
  }

  /** A start that fails may be tried again. */
  @Test
  void isFreeAgainAfterAStartThatFailed() throws Exception {
    List<String> failures = new ArrayList<>(List.of("no threads left"));
    InformerOptions poor =
        options.withThreads(
            task -> {
              if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.remove(0));
              }
              return threads.newThread(task);
            });
    EventChannel<Foo> other = Source.channel(Foo.class, poor);
    assertThatThrownBy(() -> other.start(sink)).hasMessage("no threads left");
    start(other);
    other.send(Request.of("a"));
    expect("a");
  }

  /** Many senders, little room: everything arrives, and each sender's messages in order. */
  @Test
  void losesNothingOfManySenders() throws Exception {
    start(channel);
    int senders = 4;
    int each = 500;
    List<Thread> sending = new ArrayList<>();
    for (int s = 0; s < senders; s++) {
      String name = "s" + s + "-";
      Thread sender =
          threads.newThread(
              () -> {
                try {
                  for (int i = 0; i < each; i++) {
                    channel.send(Request.of(name + i));
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      sending.add(sender);
      sender.start();
    }
    for (Thread sender : sending) {
      sender.join();
    }
    Eventually.that(() -> assertThat(sink.added).hasSize(senders * each));
    for (int s = 0; s < senders; s++) {
      String name = "s" + s + "-";
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        expected.add(name + i);
      }
      assertThat(sink.keys().stream().filter(key -> key.startsWith(name)).toList())
          .isEqualTo(expected);
    }
  }

  @Test
  void refusesToHaveNoRoom() {
    assertThatThrownBy(() -> Source.channel(Foo.class, 0, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a channel's capacity must be at least 1, not 0");
    assertThat(EventChannel.CAPACITY).isEqualTo(1024);
  }
}
