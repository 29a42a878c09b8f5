// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ConfigMaps;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The assembled informer with its threads, on virtual time, against a server in memory. */
@Timeout(60)
final class SharedIndexInformerTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final ManualScheduler time = new ManualScheduler();
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final SharedIndexInformer<ConfigMap> informer =
      new SharedIndexInformer<>(
          ConfigMaps.CODEC,
          server,
          InformerOptions.defaults().withScheduler(time).withThreads(this::thread));

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    threads.add(thread);
    return thread;
  }

  /** After each test, a stop leaves no thread and no request behind. */
  @AfterEach
  void stops() throws InterruptedException {
    assertThat(informer.stop(LIMIT)).isTrue();
    for (Thread thread : threads) {
      thread.join(LIMIT.toMillis()); // that of a handler which was removed ends on its own
      assertThat(thread.isAlive()).isFalse();
    }
    server.assertNothingOpen();
  }

  private void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  /** Detect, cache, tell. */
  @Test
  void tellsWhatIsThereAndThenWhatHappens() throws Exception {
    put("a");
    HeardEvents handler = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(handler);
    assertThat(informer.hasSynced()).isFalse();
    informer.start();
    assertThat(handler.next()).isEqualTo("ADDED a");
    Eventually.until(registration::hasSynced);
    assertThat(informer.hasSynced()).isTrue();
    put("b");
    put("b");
    server.delete(ConfigMaps.key("b"));
    assertThat(handler.next(3)).containsExactly("ADDED b", "UPDATED b", "DELETED b");
    assertThat(informer.lister().get(ConfigMaps.key("a"))).isPresent();
    assertThat(informer.indexer().size()).isEqualTo(1);
    assertThat(informer.problem()).isEmpty();
  }

  /** Nothing runs before the start, and then two loops and one per handler. */
  @Test
  void runsTwoLoopsAndOnePerHandler() {
    informer.addEventHandler(event -> {});
    informer.addEventHandler(event -> {});
    assertThat(threads).noneMatch(Thread::isAlive);
    assertThat(server.lists()).isEmpty();
    informer.start();
    assertThat(threads)
        .extracting(Thread::getName)
        .containsExactlyInAnyOrder(
            "informer-configmaps-applier",
            "informer-configmaps-reflector",
            "informer-configmaps-handler-1",
            "informer-configmaps-handler-2");
    assertThat(threads).allMatch(Thread::isAlive);
    assertThat(informer.loops()).allMatch(Loop::isRunning);
  }

  /** Started once, whatever is called. */
  @Test
  void startsOnceAndWarnsTheSecondTime() throws Exception {
    assertThat(
            Logs.during(
                SharedIndexInformer.class,
                () -> {
                  informer.start();
                  informer.start();
                }))
        .containsExactly("WARN informer-configmaps has started; it can't be started again");
    Eventually.until(informer::hasSynced);
    Eventually.until(() -> server.watches().size() == 1);
    assertThat(server.lists()).hasSize(1);
  }

  @Test
  void refusesHandlersAfterAStop() throws Exception {
    HandlerRegistration registration = informer.addEventHandler(event -> {});
    informer.start();
    assertThat(informer.stop(LIMIT)).isTrue();
    int before = threads.size();
    assertThatThrownBy(
            () ->
                informer.addEventHandler(
                    new ResourceEventHandler<>() {
                      @Override
                      public void handle(ResourceEvent<ConfigMap> event) {}

                      @Override
                      public String toString() {
                        return "H";
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("handler H was not added to shared informer because it has stopped already");
    assertThat(threads).hasSize(before);
    registration.remove();
    informer.start();
    assertThat(informer.loops()).noneMatch(Loop::isRunning);
  }

  /** A late handler gets exactly the existing objects, and then exactly the changes. */
  @Test
  void showsALateHandlerWhatIsThereWithoutGapOrDoubleDuringAStorm() throws Exception {
    for (int i = 0; i < 100; i++) {
      put("o" + i);
    }
    informer.start();
    Eventually.until(informer::hasSynced);
    CountDownLatch begun = new CountDownLatch(1);
    Thread storm =
        new Thread(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                String name = "o" + (i * 7 % 130);
                if (i % 5 == 0) {
                  server.delete(ConfigMaps.key(name));
                } else {
                  put(name);
                }
                if (i == 100) {
                  begun.countDown();
                }
              }
            });
    storm.start();
    assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    Map<String, String> known = Collections.synchronizedMap(new HashMap<>());
    List<HandlerRegistration> registrations = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String me = i + "/";
      registrations.add(
          informer.addEventHandler(
              event -> {
                String key = me + event.key();
                String version = event.object().resourceVersion();
                String old =
                    event.type() == ResourceEvent.Type.DELETED
                        ? known.remove(key)
                        : known.put(key, version);
                if ((event.type() == ResourceEvent.Type.ADDED) != (old == null)
                    || (event instanceof ResourceEvent.Updated<ConfigMap> update
                        && !update.old().resourceVersion().equals(old))) {
                  wrong.add(event + " after " + old);
                }
              }));
    }
    storm.join();
    put("last");
    for (int i = 0; i < 3; i++) {
      String last = i + "/default/last";
      Eventually.until(() -> known.containsKey(last));
    }
    Eventually.until(() -> registrations.stream().allMatch(r -> r.hasSynced() && r.backlog() == 0));
    Map<String, String> expected = new HashMap<>();
    server
        .versions()
        .forEach(
            (key, version) -> List.of(0, 1, 2).forEach(i -> expected.put(i + "/" + key, version)));
    assertThat(wrong).isEmpty();
    assertThat(known).isEqualTo(expected);
  }

  /** All of them marked as initial. */
  @Test
  void marksTheReplayAsInitial() throws Exception {
    put("a");
    informer.start();
    Eventually.until(informer::hasSynced);
    BlockingQueue<Boolean> initial = new LinkedBlockingQueue<>();
    informer.addEventHandler(
        event -> initial.add(((ResourceEvent.Added<ConfigMap>) event).initial()));
    assertThat(initial.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    put("b");
    assertThat(initial.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isFalse();
  }

  /** A handler that joins between the start and the first list is synced by that list. */
  @Test
  void syncsAHandlerThatJoinsBeforeTheFirstListIsThere() throws Exception {
    put("a");
    server.hold();
    informer.start();
    HeardEvents handler = new HeardEvents();
    HandlerRegistration registration = informer.addEventHandler(handler);
    Eventually.until(() -> server.lists().size() == 1);
    assertThat(registration.hasSynced()).isFalse();
    server.release();
    assertThat(handler.next()).isEqualTo("ADDED a");
    Eventually.until(registration::hasSynced);
  }

  /** Resyncs go to those who asked, as updates without a change. */
  @Test
  void resyncsOnlyThoseWhoAskedForIt() throws Exception {
    put("a");
    HeardEvents never = new HeardEvents();
    HeardEvents often = new HeardEvents();
    BlockingQueue<Boolean> resyncs = new LinkedBlockingQueue<>();
    informer.addEventHandler(never);
    informer.addEventHandler(
        event -> {
          if (event instanceof ResourceEvent.Updated<ConfigMap> update) {
            resyncs.add(update.isResync());
          }
          often.handle(event);
        },
        Duration.ofSeconds(5)); // so that all periods end before a watch must be opened again
    informer.start();
    assertThat(often.next()).isEqualTo("ADDED a");
    assertThat(never.next()).isEqualTo("ADDED a");
    for (int i = 0; i < 3; i++) {
      time.advance(Duration.ofMillis(4_999));
      put("x" + i);
      assertThat(often.next()).isEqualTo("ADDED x" + i);
      assertThat(never.next()).as("no resync").isEqualTo("ADDED x" + i);
      time.advance(Duration.ofMillis(1));
      assertThat(often.next(i + 2)).allMatch(event -> event.startsWith("UPDATED "));
      for (int j = 0; j < i + 2; j++) {
        assertThat(resyncs.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(never.heard).isEmpty();
  }

  /** With a warning. */
  @Test
  void raisesAShortResyncPeriodToOneSecond() throws Exception {
    put("a");
    HeardEvents handler = new HeardEvents();
    assertThat(
            Logs.during(
                SharedIndexInformer.class,
                () -> informer.addEventHandler(handler, Duration.ofMillis(100))))
        .singleElement()
        .asString()
        .startsWith("WARN ")
        .endsWith(": resync period 100 ms is too short; using 1 s");
    informer.start();
    assertThat(handler.next()).isEqualTo("ADDED a");
    time.advance(Duration.ofMillis(999));
    put("b");
    assertThat(handler.next()).isEqualTo("ADDED b");
    time.advance(Duration.ofMillis(1));
    assertThat(handler.next(2)).containsExactlyInAnyOrder("UPDATED a", "UPDATED b");
  }

  /** k/k #136509: a resync that is due before the start harms nobody. */
  @Test
  void survivesAResyncBeforeTheStart() throws Exception {
    HeardEvents handler = new HeardEvents();
    informer.addEventHandler(handler, Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(5));
    put("a");
    informer.start();
    assertThat(handler.next()).isEqualTo("ADDED a");
  }

  /** A controller that comes and goes must not be kept until its next resync. */
  @Test
  void forgetsTheResyncsOfRemovedHandlers() {
    for (int i = 0; i < 10; i++) {
      informer.addEventHandler(new HeardEvents(), Duration.ofHours(10)).remove();
    }
    assertThat(time.pending()).hasSize(1);
  }

  /** Adding the same handler twice creates two registrations; a removal ends one of them. */
  @Test
  void endsTheCallsOfARemovedHandlerOnly() throws Exception {
    HeardEvents handler = new HeardEvents();
    HeardEvents other = new HeardEvents();
    HandlerRegistration first = informer.addEventHandler(handler, Duration.ofSeconds(1));
    informer.addEventHandler(handler);
    informer.addEventHandler(other);
    informer.start();
    put("a");
    assertThat(handler.next(2)).containsExactly("ADDED a", "ADDED a");
    assertThat(other.next()).isEqualTo("ADDED a");
    first.remove();
    first.remove();
    put("b");
    time.advance(Duration.ofSeconds(2));
    assertThat(other.next()).isEqualTo("ADDED b");
    assertThat(handler.next()).isEqualTo("ADDED b");
    Eventually.until(() -> threads.stream().filter(Thread::isAlive).count() == 4);
    assertThat(handler.heard).isEmpty();
  }

  /** Handlers that are removed, or dropped by a stop, before they have joined leave no thread. */
  @Test
  void leavesNoThreadOfAHandlerThatNeverJoined() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    // an index function that blocks keeps the applier from letting anybody join
    informer
        .indexer()
        .addIndex(
            "slow",
            object -> {
              stuck.countDown();
              Eventually.until(() -> free.getCount() == 0);
              return List.of();
            });
    informer.start();
    put("a");
    assertThat(stuck.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    informer.addEventHandler(event -> {});
    informer.addEventHandler(event -> {}).remove();
    assertThat(informer.stop(Duration.ofMillis(1))).as("the applier is stuck").isFalse();
    free.countDown();
  }

  /** Stopped by a handler (docs/reliability.md, K2). */
  @Test
  void canBeStoppedByItsOwnHandler() throws Exception {
    BlockingQueue<Boolean> stopped = new LinkedBlockingQueue<>();
    informer.addEventHandler(
        event -> {
          stopped.add(informer.stop(LIMIT));
        });
    informer.start();
    put("a");
    assertThat(stopped.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void staysStoppedWhenItWasStoppedBeforeTheStart() throws Exception {
    assertThat(informer.stop(LIMIT)).isTrue();
    informer.start();
    assertThat(informer.loops()).noneMatch(Loop::isRunning);
    assertThat(server.lists()).isEmpty();
  }

  /** The copy stays readable. */
  @Test
  void keepsTheCopyReadableAfterAStop() throws Exception {
    put("a");
    informer.start();
    Eventually.until(informer::hasSynced);
    informer.stop(LIMIT);
    put("b");
    assertThat(informer.indexer().keys()).containsExactly(ConfigMaps.key("a"));
  }

  /** An interrupted stop has asked everybody, even if it waited for nobody. */
  @Test
  void asksAllThreadsToEndThoughItsCallerIsInterrupted() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    informer.addEventHandler(
        event -> {
          stuck.countDown();
          Eventually.until(() -> free.getCount() == 0);
        });
    informer.start();
    put("a");
    assertThat(stuck.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> informer.stop(LIMIT)).isInstanceOf(InterruptedException.class);
    free.countDown();
    Eventually.until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void takesAnyLimitForAStop() throws Exception {
    informer.start();
    assertThat(informer.stop(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
  }
}
