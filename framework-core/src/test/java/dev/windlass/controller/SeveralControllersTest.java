// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.running.Watchdog;
import dev.windlass.controller.settings.ReconcileSemaphore;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What controllers share, and what they do not. */
@Timeout(60)
final class SeveralControllersTest extends BuilderHarness {

  private CountDownLatch stuck = new CountDownLatch(0);
  private CountDownLatch release = new CountDownLatch(0);

  @BeforeEach
  void sticks() {
    stuck = new CountDownLatch(1);
    release = new CountDownLatch(1);
  }

  @AfterEach
  void releases() {
    release.countDown();
  }

  private void stick() {
    stuck.countDown();
    boolean released = false;
    while (!released) {
      try {
        release.await();
        released = true;
      } catch (InterruptedException e) {
        released = true;
      }
    }
  }

  @Test
  void reconcileEachObjectOnceAtTheStart() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      server("Foo").put(Samples.json("Foo", "o" + i));
      expected.add("default/o" + i);
    }
    start(ofFoo());
    assertThat(next(100)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(reconciled).isEmpty();
  }

  @Test
  void haveQueuesOfTheirOwn() throws Exception {
    Controller slow =
        ofFoo()
            .reconciler(
                (request, context) -> {
                  stick();
                  return Result.done();
                })
            .register(manager);
    Controller quick =
        ControllerBuilder.forType(ConfigMap.class).reconciler(this::see).register(manager);
    startUntilReady(slow);
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(quick.isReady()).isTrue());
    server("Foo").put(Samples.json("Foo", "a"));
    server("Foo").put(Samples.json("Foo", "b"));
    stuck.await();
    for (int i = 0; i < 3; i++) {
      server("ConfigMap").put(Samples.json("ConfigMap", "m" + i));
      assertThat(next(1)).containsExactly("default/m" + i);
    }
    Eventually.that(() -> assertThat(slow.queueLength()).isEqualTo(1));
    assertThat(quick.queueLength()).isZero();
  }

  /** One limit for both: the second waits for the first, and takes its turn if that is stuck. */
  @Test
  void shareALimit() throws Exception {
    ConcurrencyLimit limit = ConcurrencyLimit.of(1);
    Controller slow =
        ofFoo()
            .concurrencyLimit(limit)
            .reconcileTimeout(Duration.ofSeconds(5))
            .reconciler(
                (request, context) -> {
                  stickThroughInterrupts();
                  return Result.done();
                })
            .register(manager);
    Controller quick =
        ControllerBuilder.forType(ConfigMap.class)
            .concurrencyLimit(limit)
            .reconciler(this::see)
            .register(manager);
    startUntilReady(slow);
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(quick.isReady()).isTrue());
    server("Foo").put(Samples.json("Foo", "a"));
    stuck.await();
    server("ConfigMap").put(Samples.json("ConfigMap", "m"));
    Eventually.that(() -> assertThat(limit.semaphore().waiting()).isEqualTo(1));
    assertThat(reconciled).as("it waits for its turn").isEmpty();
    assertThat(quick.running()).isEmpty();
    time.advance(Duration.ofSeconds(5)); // the time-out, and then the patience for the interrupt
    time.advance(Watchdog.GRACE);
    assertThat(next(1)).containsExactly("default/m");
  }

  /** A stop ends the wait, and what waited is not lost: the next start sees everything. */
  @Test
  void stopWhileTheyWaitForTheirTurn() throws Exception {
    ConcurrencyLimit limit = ConcurrencyLimit.of(1);
    ReconcileSemaphore.Permit others = limit.semaphore().await(() -> false);
    Controller controller = ofFoo().concurrencyLimit(limit).reconciler(this::see).register(manager);
    startUntilReady(controller);
    server("Foo").put(Samples.json("Foo", "a"));
    Eventually.that(() -> assertThat(limit.semaphore().waiting()).isEqualTo(1));
    assertThat(manager.stop()).isTrue();
    assertThat(reconciled).isEmpty();
    assertThat(limit.semaphore().waiting()).isZero();
    others.close();
    assertThat(limit.semaphore().taken()).isZero();
  }

  private void stickThroughInterrupts() {
    stuck.countDown();
    Eventually.stuckUntil(() -> release.getCount() == 0);
  }

  /** Each ConfigMap brings about two more, as long as the Foo has not been reconciled. */
  @Test
  void starveNoTypeByAFloodOfAnother() {
    AtomicInteger flood = new AtomicInteger();
    CountDownLatch served = new CountDownLatch(1);
    Controller controller =
        ofFoo()
            .watches(ConfigMap.class, EventHandler.self())
            .reconciler(
                (request, context) -> {
                  if (request.name().equals("a")) {
                    served.countDown();
                  }
                  for (int i = 0; i < 2 && served.getCount() > 0; i++) {
                    String next = "flood" + flood.incrementAndGet();
                    server("ConfigMap").put(Samples.json("ConfigMap", next));
                  }
                  return Result.done();
                })
            .register(manager);
    startUntilReady(controller);
    server("ConfigMap").put(Samples.json("ConfigMap", "flood"));
    Eventually.that(() -> assertThat(controller.queueLength()).isGreaterThan(10));
    server("Foo").put(Samples.json("Foo", "a"));
    Eventually.that(() -> assertThat(served.getCount()).isZero());
  }

  @Test
  void letNoTypeHoldUpAnother() throws Exception {
    start(
        ofFoo()
            .watches(
                ConfigMap.class,
                (event, sink) -> {
                  if (stuck.getCount() > 0) {
                    stick();
                  }
                  EventHandler.<ConfigMap>self().handle(event, sink);
                }));
    for (int i = 0; i < 1_000; i++) {
      server("ConfigMap").put(Samples.json("ConfigMap", "flood" + i));
    }
    stuck.await();
    server("Foo").put(Samples.json("Foo", "a"));
    assertThat(next(1)).containsExactly("default/a");
    release.countDown();
    assertThat(next(1_000)).contains("default/flood0", "default/flood999");
  }

  /** What was queued was a name: the state is that of the moment of the reconcile. */
  @Test
  void seeTheNewestStateAndOnce() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    Controller controller =
        ofFoo()
            .objectReconciler(
                (foo, context) -> {
                  ObjectMeta meta = foo.getMetadata();
                  reconciled.add(meta.getName() + " in version " + meta.getResourceVersion());
                  stick();
                  return Result.done();
                })
            .register(manager);
    startUntilReady(controller);
    assertThat(next(1)).containsExactly("a in version 1");
    server("Foo").put(Samples.json("Foo", "a"));
    server("Foo").put(Samples.json("Foo", "a"));
    server("Foo").put(Samples.json("Foo", "b")); // is heard of after both
    Eventually.that(() -> assertThat(controller.queueLength()).isEqualTo(1));
    release.countDown();
    assertThat(next(2)).containsExactly("a in version 3", "b in version 4");
    Eventually.that(() -> assertThat(controller.running()).isEmpty());
    assertThat(reconciled).isEmpty();
    assertThat(controller.queueLength()).isZero();
  }

  @Test
  void haveOneWorkerUnlessToldOtherwise() {
    assertThat(ofFoo().reconciler(NOTHING).register(manager).maxConcurrentReconciles())
        .isEqualTo(1);
    assertThat(
            ControllerBuilder.forType(ConfigMap.class)
                .maxConcurrentReconciles(4)
                .reconciler(NOTHING)
                .register(manager)
                .maxConcurrentReconciles())
        .isEqualTo(4);
  }
}
