// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The program that {@link InformerComparison} runs in each JVM. It runs one informer of one library
 * with one no-op handler, and prints one line of figures. Both libraries use the default transport
 * of fabric8 with HTTP/1.1.
 */
final class InformerRun {

  /** The libraries and the baseline that are compared. */
  enum Library {
    WINDLASS,
    FABRIC8,
    /** No informer. This baseline requests the same stream as Windlass and discards it. */
    TRANSPORT
  }

  private static final AtomicInteger handled = new AtomicInteger();

  private InformerRun() {}

  /**
   * Runs one measurement.
   *
   * @param arguments the library, the kubeconfig file and the number of objects; with a fourth
   *     argument, the program also prints the CPU time of each thread and a histogram of the heap
   */
  public static void main(String[] arguments) throws Exception {
    Library library = Library.valueOf(arguments[0]);
    Config config = Config.fromKubeconfig(Files.readString(Path.of(arguments[1])));
    config.setHttp2Disable(true);
    int objects = Integer.parseInt(arguments[2]);
    KubernetesClient client = BenchObjects.client(config);
    long heapBefore = ProcessUse.liveHeap();
    long cpuBefore = ProcessUse.cpuNanos();
    long start = System.nanoTime();
    BooleanSupplier synced =
        switch (library) {
          case WINDLASS -> startWindlass(client);
          case FABRIC8 -> startFabric8(client);
          case TRANSPORT -> fetch(client, objects);
        };
    while (handled.get() < objects || !synced.getAsBoolean()) {
      Thread.sleep(1);
    }
    long wall = System.nanoTime() - start;
    long cpu = ProcessUse.cpuNanos() - cpuBefore;
    long resident =
        ProcessUse.peakResidentBytes(); // read before garbage collection, which needs memory
    InformerFigures figures =
        new InformerFigures(
            wall / 1e9,
            cpu / 1e9,
            ProcessUse.liveHeap() - heapBefore,
            resident,
            BenchResource.instances());
    if (arguments.length > 3) {
      printThreads();
      System.out.println(histogram());
    }
    if (!synced.getAsBoolean()) { // also keeps the informer reachable until here
      throw new IllegalStateException("not synced any more");
    }
    System.out.println(figures.toLine());
    System.exit(0); // a library may leave threads running
  }

  private static BooleanSupplier startWindlass(KubernetesClient client) {
    SharedInformerFactory factory =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(client, type, scope),
            WatchScope.ALL,
            InformerOptions.defaults());
    var informer = factory.informer(BenchResource.class);
    HandlerRegistration registration = informer.addEventHandler(event -> handled.incrementAndGet());
    factory.start();
    return () -> informer.hasSynced() && registration.hasSynced();
  }

  private static BooleanSupplier startFabric8(KubernetesClient client) {
    SharedIndexInformer<BenchResource> informer =
        client.resources(BenchResource.class).inAnyNamespace().runnableInformer(0);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(BenchResource object) {
            handled.incrementAndGet();
          }

          @Override
          public void onUpdate(BenchResource old, BenchResource object) {}

          @Override
          public void onDelete(BenchResource object, boolean finalStateUnknown) {}
        });
    var unused = informer.start();
    return informer::hasSynced;
  }

  private static BooleanSupplier fetch(KubernetesClient client, int objects)
      throws InterruptedException {
    new StreamFetch(client).run();
    handled.set(objects);
    return () -> true;
  }

  private static void printThreads() throws IOException {
    Map<String, Long> ticks = new TreeMap<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        String stat = Files.readString(task.resolve("stat"));
        int behindName = stat.lastIndexOf(')');
        String[] fields = stat.substring(behindName + 2).split(" ", -1);
        String name = stat.substring(stat.indexOf('(') + 1, behindName).replaceAll("[#\\d]+$", "");
        ticks.merge(name, Long.parseLong(fields[11]) + Long.parseLong(fields[12]), Long::sum);
      }
    }
    ticks.forEach(
        (name, sum) -> {
          if (sum >= 5) {
            System.out.printf("%5.2f s of the processor: %s%n", sum / 100.0, name);
          }
        });
  }

  private static String histogram() throws javax.management.JMException {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }
}
