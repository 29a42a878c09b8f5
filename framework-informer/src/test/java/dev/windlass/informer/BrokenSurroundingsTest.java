// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ConfigMaps;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The scheduler or the thread factory supplied by a user fails. A loop survives that, or its owner
 * gets the failure at once; it never stops silently (docs/reliability.md, J4).
 */
@Timeout(60)
final class BrokenSurroundingsTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final ManualScheduler time = new ManualScheduler();
  private final Rejecting scheduler = new Rejecting();
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final HeardEvents heard = new HeardEvents();

  /** What the thread factory does with a thread, before it hands it out. */
  private Kind kind = Kind.GOOD;

  private enum Kind {
    GOOD,
    MISSING,
    CANT_START
  }

  private final SharedIndexInformer<ConfigMap> informer =
      new SharedIndexInformer<>(
          ConfigMaps.CODEC,
          server,
          InformerOptions.defaults().withScheduler(scheduler).withThreads(this::thread));

  /** Virtual time that sets no alarm while it is told so. */
  private final class Rejecting implements Scheduler {
    private final AtomicInteger rejections = new AtomicInteger();
    private final AtomicInteger rejectsNext = new AtomicInteger();

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      if (rejectsNext.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        rejections.incrementAndGet();
        throw new RejectedExecutionException("test: saturated");
      }
      return time.schedule(task, delay);
    }
  }

  @SuppressWarnings("NullAway") // what a factory may do, according to its contract
  private @Nullable Thread thread(Runnable task) {
    if (kind == Kind.MISSING) {
      return null;
    }
    Thread thread =
        kind == Kind.GOOD
            ? new Thread(task)
            : new Thread(task) {
              @Override
              public synchronized void start() {
                throw new OutOfMemoryError("test: unable to create native thread");
              }
            };
    threads.add(thread);
    return thread;
  }

  @AfterEach
  void stops() throws InterruptedException {
    kind = Kind.GOOD;
    scheduler.rejectsNext.set(0);
    assertThat(informer.stop(LIMIT)).isTrue();
    assertThat(threads).filteredOn(Thread::isAlive).isEmpty();
    server.assertNothingOpen();
  }

  private void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  /** No alarm can be set: everything that arrives is brought to the handlers all the same. */
  @Test
  void goesOnThoughTheSchedulerRejectsEveryAlarm() throws Exception {
    scheduler.rejectsNext.set(Integer.MAX_VALUE);
    informer.addEventHandler(heard);
    put("a");
    informer.start();
    assertThat(heard.next()).isEqualTo("ADDED a");
    Eventually.until(() -> scheduler.rejections.get() > 0);
    put("b");
    assertThat(heard.next()).isEqualTo("ADDED b");
    assertThat(informer.loops()).allMatch(Loop::isRunning);
  }

  /** One rejected alarm does not end all resyncs (docs/reliability.md, bug 3). */
  @Test
  void resyncsAgainThoughTheSchedulerRejectedOneAlarm() throws Exception {
    put("a");
    informer.addEventHandler(heard, Duration.ofSeconds(5));
    informer.start();
    assertThat(heard.next()).isEqualTo("ADDED a");
    Eventually.until(() -> time.pending().size() == 2); // the resync, and the end of the watch
    scheduler.rejectsNext.set(1);
    time.advance(Duration.ofSeconds(5));
    assertThat(heard.next())
        .as("the resync that could not set the next alarm")
        .isEqualTo("UPDATED a");
    Eventually.until(() -> time.pending().stream().anyMatch(left -> left.compareTo(LIMIT) < 0));
    time.advance(Duration.ofSeconds(5));
    assertThat(heard.next()).as("the resync after it").isEqualTo("UPDATED a");
  }

  /** Nor does a handler that throws on one (docs/reliability.md, bug 3). */
  @Test
  void resyncsAgainThoughAHandlerThrewOnAResync() throws Exception {
    put("a");
    HandlerRegistration handler =
        informer.addEventHandler(
            event -> {
              heard.handle(event);
              if (event.type() == ResourceEvent.Type.UPDATED) {
                throw new AssertionError("test");
              }
            },
            Duration.ofSeconds(5));
    informer.start();
    assertThat(heard.next()).isEqualTo("ADDED a");
    for (int i = 1; i <= 3; i++) {
      int failures = i;
      Eventually.advance(time, () -> handler.failures() == failures);
      assertThat(heard.next()).isEqualTo("UPDATED a");
    }
  }

  /** A resync that can't be promised is refused, and the handler with it. */
  @Test
  void addsNoHandlerWhoseResyncsCantBeScheduled() throws Exception {
    informer.start();
    Eventually.until(informer::hasSynced);
    Eventually.until(() -> !time.pending().isEmpty());
    scheduler.rejectsNext.set(1);
    assertThatThrownBy(() -> informer.addEventHandler(heard, Duration.ofSeconds(5)))
        .hasMessage("test: saturated");
    informer.addEventHandler(event -> heard.heard.add("other"));
    put("a");
    assertThat(heard.next()).isEqualTo("other");
    assertThat(informer.status().handlers()).hasSize(1);
    Eventually.until(() -> threads.stream().filter(Thread::isAlive).count() == 3);
    assertThat(heard.heard).isEmpty();
  }

  @Test
  void refusesAFactoryThatGivesNoThread() {
    kind = Kind.MISSING;
    assertThatThrownBy(
            () ->
                new SharedIndexInformer<>(
                    ConfigMaps.CODEC,
                    server,
                    InformerOptions.defaults().withScheduler(time).withThreads(this::thread)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("returned no thread for informer-configmaps-applier");
  }

  /** The informer goes on; the caller knows that this handler was not added. */
  @Test
  void goesOnWithoutAHandlerForWhichThereIsNoThread() throws Exception {
    informer.addEventHandler(heard);
    informer.start();
    kind = Kind.MISSING;
    assertThatThrownBy(() -> informer.addEventHandler(event -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    kind = Kind.CANT_START;
    assertThatThrownBy(() -> informer.addEventHandler(event -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("can't start a thread: test: unable to create native thread");
    put("a");
    assertThat(heard.next()).isEqualTo("ADDED a");
    assertThat(informer.status().handlers()).hasSize(1);
  }

  /** Who starts it hears of it, and so does whoever asks for its health. */
  @Test
  void saysThatItsThreadsCantBeStarted() throws Exception {
    kind = Kind.CANT_START;
    SharedIndexInformer<ConfigMap> unlucky =
        new SharedIndexInformer<>(
            ConfigMaps.CODEC,
            server,
            InformerOptions.defaults().withScheduler(time).withThreads(this::thread));
    assertThatThrownBy(unlucky::start).isInstanceOf(IllegalStateException.class);
    assertThat(unlucky.loops()).noneMatch(Loop::isRunning);
    assertThat(unlucky.stop(LIMIT)).isTrue();
  }
}
