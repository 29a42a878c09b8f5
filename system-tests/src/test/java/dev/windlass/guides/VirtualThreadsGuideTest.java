// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The code of {@code docs/guides/virtual-threads.md}. It runs on virtual threads if the JDK has
 * them.
 */
@Timeout(60)
final class VirtualThreadsGuideTest {

  private static final int WIDGETS = 50;

  @AutoClose private final GuideServer server = new GuideServer();
  private final Manager manager = server.manager;

  /** Returns {@code Thread.ofVirtual().factory()} from JDK 21 on; before, one of the JDK's own. */
  private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
    if (Runtime.version().feature() < 21) {
      return Executors.defaultThreadFactory();
    }
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Class<?> type = Class.forName("java.lang.Thread$Builder");
    return (ThreadFactory) type.getMethod("factory").invoke(builder);
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    } catch (NoSuchMethodException e) {
      return false; // JDK 17
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void reconcilesManyObjectsAtTheSameTime() throws Exception {
    CountDownLatch allWait = new CountDownLatch(WIDGETS);
    AtomicInteger virtual = new AtomicInteger();
    ThreadFactory virtualThreads = virtualThreads();
    // sample: workers
    ControllerBuilder.forType(Widget.class)
        .workerThreads(virtualThreads)
        .maxConcurrentReconciles(200)
        .reconcileTimeout(Duration.ofMinutes(2))
        .objectReconciler((widget, context) -> waitForTheOtherSystem(widget, allWait, virtual))
        .register(manager);
    // end
    manager.start();
    for (int i = 0; i < WIDGETS; i++) {
      server.create("w" + i);
    }
    assertThat(allWait.await(30, TimeUnit.SECONDS)).as("all wait at the same time").isTrue();
    if (Runtime.version().feature() >= 21) {
      assertThat(virtual).hasValue(WIDGETS);
    }
  }

  private static Result waitForTheOtherSystem(
      Widget widget, CountDownLatch allWait, AtomicInteger virtual) throws InterruptedException {
    if (isVirtual(Thread.currentThread())) {
      virtual.incrementAndGet();
    }
    allWait.countDown();
    assertThat(allWait.await(30, TimeUnit.SECONDS)).as(widget.getMetadata().getName()).isTrue();
    return Result.done();
  }

  private final ExecutorService executor = Executors.newCachedThreadPool();

  // sample: parallel
  private Result reconcileInParallel(Widget widget, ReconcileContext context) throws Exception {
    List<Callable<Operation<ConfigMap>>> parts = new ArrayList<>();
    for (String part : widget.getSpec().getParts()) {
      parts.add(() -> Owned.apply(context.client(), widget, map(widget, part)));
    }
    for (Future<Operation<ConfigMap>> part : executor.invokeAll(parts)) { // waits for all of them
      part.get(); // throws if the apply failed; the reconcile is then retried
    }
    return Result.done();
  }

  // end

  private static ConfigMap map(Widget widget, String part) {
    return Samples.map("default", widget.getMetadata().getName() + "-" + part);
  }

  @Test
  void writesInParallel() {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcileInParallel)
        .register(manager);
    manager.start();
    Widget widget = Widget.of("default", "w");
    widget.getSpec().setParts(List.of("a", "b", "c"));
    server.kubectl.resource(widget).create();
    await().until(() -> server.kubectl.configMaps().withName("w-c").get() != null);
    executor.shutdown();
  }
}
