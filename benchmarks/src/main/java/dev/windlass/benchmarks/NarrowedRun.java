// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.Projection;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The program that {@link NarrowedComparison} runs in each JVM. It runs a manager with one
 * controller of Pods until each watched Pod has been reconciled once.
 */
final class NarrowedRun {

  /** The ways to narrow the cache of Pods. */
  enum Way {
    WITH_MANAGED_FIELDS("all, with `managedFields`", 1),
    BY_DEFAULT("all, by default", 1),
    WITHOUT_ENVIRONMENT("all, without environment and probes", 1),
    TWO_FIELDS("all, with two fields of spec and status", 1),
    METADATA("all, metadata only", 1),
    LABEL("by a label that a tenth has", 10),
    NAMESPACE("one of 20 namespaces", BenchPods.NAMESPACES),
    NODE("by a field: those of one of 100 nodes", BenchPods.NODES);

    private final String title;
    private final int part;

    Way(String title, int part) {
      this.title = title;
      this.part = part;
    }

    /** Returns the name used in the report. */
    String title() {
      return title;
    }

    /**
     * Returns the number of Pods that the controller watches if its cache is narrowed in this way.
     *
     * @param pods the number of Pods on the server
     */
    int of(int pods) {
      return pods / part;
    }

    private InformerSpec<Pod> spec() {
      InformerSpec<Pod> pods = InformerSpec.of(Pod.class);
      return switch (this) {
        case WITH_MANAGED_FIELDS -> pods.with(Projection.FULL);
        case BY_DEFAULT -> pods;
        case WITHOUT_ENVIRONMENT ->
            pods.with(
                Transform.dropFields(
                    "spec.containers.env",
                    "spec.containers.readinessProbe",
                    "spec.containers.livenessProbe"));
        case TWO_FIELDS -> pods.with(Transform.keepFields("spec.nodeName", "status.phase"));
        case METADATA -> pods.with(Projection.METADATA);
        case LABEL -> pods.in(WatchScope.ALL.withLabels("app.kubernetes.io/managed-by=bench"));
        case NAMESPACE -> pods.in(WatchScope.namespace("bench-7"));
        case NODE -> pods.in(WatchScope.ALL.withFields("spec.nodeName=node-7"));
      };
    }
  }

  private NarrowedRun() {}

  /**
   * Runs one measurement.
   *
   * @param arguments the way, the kubeconfig file and the number of Pods on the server
   */
  public static void main(String[] arguments) throws Exception {
    Way way = Way.valueOf(arguments[0]);
    Config config = Config.fromKubeconfig(Files.readString(Path.of(arguments[1])));
    config.setHttp2Disable(true);
    int expected = way.of(Integer.parseInt(arguments[2]));
    CountDownLatch reconciled = new CountDownLatch(expected);
    long heapBefore = ProcessUse.liveHeap();
    long cpuBefore = ProcessUse.cpuNanos();
    long start = System.nanoTime();
    Manager manager =
        Manager.builder().client(BenchObjects.client(config)).cache(way.spec()).build();
    ControllerBuilder.forType(Pod.class)
        .reconciler(
            (request, context) -> {
              reconciled.countDown();
              return Result.done();
            })
        .register(manager);
    manager.start();
    reconciled.await();
    long wall = System.nanoTime() - start;
    long cpu = ProcessUse.cpuNanos() - cpuBefore;
    long resident = ProcessUse.peakResidentBytes(); // measured before liveHeap() collects garbage
    int cached = manager.cache(Pod.class).indexer().size();
    if (cached != expected) {
      throw new IllegalStateException(
          "%s holds %d Pods, and not %d".formatted(way, cached, expected));
    }
    long heap = ProcessUse.liveHeap() - heapBefore;
    System.out.println(
        new InformerFigures(wall / 1e9, cpu / 1e9, heap, resident, expected).toLine());
    System.exit(0); // stopping the manager is not part of the measurement
  }
}
