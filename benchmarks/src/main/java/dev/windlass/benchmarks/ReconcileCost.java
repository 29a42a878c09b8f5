// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the cost of a reconcile apart from the user's code: the CPU time of the worker, and the
 * bytes that it allocates, from the work queue until the result is processed. Each reconcile is for
 * a different object, and the reconciler does nothing.
 */
public final class ReconcileCost {

  private static final int RECONCILES = 100_000;
  private static final int ROUNDS = 8;
  private static final double MOST_MICROS = 2;
  private static final double MOST_BYTES = 500;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final AtomicInteger done = new AtomicInteger();

  private ReconcileCost() {}

  /** Runs the measurement. */
  public static void main(String[] arguments) throws InterruptedException {
    new ReconcileCost().measure();
  }

  private void measure() throws InterruptedException {
    EventChannel<ConfigMap> channel = Source.channel(ConfigMap.class, InformerOptions.defaults());
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .named("bench")
          .watches(channel)
          .reconciler(
              (request, context) -> {
                done.incrementAndGet();
                return Result.done();
              })
          .register(manager);
      manager.start();
      double micros = 0;
      double bytes = 0;
      for (int round = 0; round < ROUNDS; round++) {
        long worker = worker();
        long time = threads.getThreadCpuTime(worker);
        long allocated = threads.getThreadAllocatedBytes(worker);
        send(channel);
        micros = (threads.getThreadCpuTime(worker) - time) / 1e3 / RECONCILES;
        bytes = (double) (threads.getThreadAllocatedBytes(worker) - allocated) / RECONCILES;
        System.err.printf("%.2f us, %.0f bytes%n", micros, bytes);
      }
      System.out.printf("%n### A reconcile, apart from the user's code%n%n");
      System.out.println("| | measured | target | |");
      System.out.println("|---|---|---|---|");
      row("CPU of the worker, µs", micros, MOST_MICROS);
      row("allocated bytes", bytes, MOST_BYTES);
    }
  }

  private static void row(String title, double value, double most) {
    System.out.printf(
        "| %s | %.2f | ≤ %.0f | %s |%n", title, value, most, value <= most ? "pass" : "**fail**");
  }

  private void send(EventChannel<ConfigMap> channel) throws InterruptedException {
    int before = done.get();
    for (int i = 0; i < RECONCILES; i++) {
      channel.send(new Request(ObjectKey.of("default", "a" + i)));
    }
    while (done.get() < before + RECONCILES) {
      Thread.sleep(1);
    }
  }

  private static long worker() throws InterruptedException {
    while (true) {
      Thread[] all = new Thread[Thread.activeCount() + 100];
      Thread.enumerate(all);
      for (Thread thread : all) {
        if (thread != null && thread.getName().contains("bench-worker-1")) {
          return thread.getId();
        }
      }
      Thread.sleep(10);
    }
  }
}
