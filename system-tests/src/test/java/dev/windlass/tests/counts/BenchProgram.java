// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The program of {@code benchmarks/compare/peers/windlass}: eight workers give each bench a
 * ConfigMap and a status.
 */
final class BenchProgram implements AutoCloseable {

  static final int WORKERS = 8;

  /** The annotation of a bench that {@link #awaitSettled} waits for. */
  static final String MARK = "counts.windlass.dev/mark";

  private final Manager manager;
  private final Controller controller;
  private final AtomicInteger reconciles = new AtomicInteger();

  /** The mark of each bench when a reconcile found that it has its status. */
  private final Map<String, String> settled = new ConcurrentHashMap<>();

  BenchProgram(ManagerBuilder builder) {
    manager = builder.build();
    controller =
        ControllerBuilder.forType(Bench.class)
            .named("bench")
            .owns(ConfigMap.class)
            .maxConcurrentReconciles(WORKERS)
            .withoutLoopDetection() // which compares states if events follow each other quickly
            .objectReconciler(this::reconcile)
            .listener((request, outcome, took) -> reconciles.incrementAndGet())
            .register(manager);
  }

  private Result reconcile(Bench bench, ReconcileContext context) {
    Owned.apply(context.client(), bench, bench.child());
    if (bench.converge()) {
      context.client().updateStatus(bench);
    } else {
      settled.put(bench.getMetadata().getName(), bench.getMetadata().getAnnotations().get(MARK));
    }
    return Result.done();
  }

  Manager manager() {
    return manager;
  }

  boolean isReady() {
    return controller.isReady();
  }

  /** Waits until a reconcile of each bench has found this mark, and the status. */
  void awaitSettled(int benches, String mark) {
    eventually()
        .until(() -> settled.size() == benches && settled.values().stream().allMatch(mark::equals));
  }

  /** Returns the number of reconciles so far. */
  int reconciles() {
    return reconciles.get();
  }

  /** Reads counters while no reconcile runs. */
  <T> T betweenReconciles(Supplier<T> counters) {
    AtomicInteger before = new AtomicInteger();
    return eventually()
        .until(
            () -> {
              before.set(reconciles.get());
              return controller.running().isEmpty() ? counters.get() : null;
            },
            read ->
                read != null && controller.running().isEmpty() && reconciles.get() == before.get());
  }

  @Override
  public void close() {
    manager.close();
  }
}
