// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** The program that {@link ColdList} runs in a separate JVM. */
final class ColdListRun {

  /** The number of bytes that API servers write to the connection at a time. */
  private static final int PIECE = 2048;

  private ColdListRun() {}

  /**
   * Runs one measurement.
   *
   * @param arguments the number of objects
   */
  public static void main(String[] arguments) throws InterruptedException {
    int objects = Integer.parseInt(arguments[0]);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty()).withMasterUrl("http://localhost:1/").build())
            .withHttpClientFactory(new MemoryHttpClient.Factory(stream(objects), PIECE))
            .build();
    CountDownLatch handled = new CountDownLatch(objects);
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var compiler = ManagementFactory.getCompilationMXBean();
    long wall = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    long jit = compiler.getTotalCompilationTime();
    SharedInformerFactory factory =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(client, type, scope),
            WatchScope.ALL,
            InformerOptions.defaults());
    factory.informer(BenchResource.class).addEventHandler(event -> handled.countDown());
    factory.start();
    handled.await();
    ColdList.Round round =
        new ColdList.Round(
            (System.nanoTime() - wall) / 1e9,
            (system.getProcessCpuTime() - cpu) / 1e9,
            (compiler.getTotalCompilationTime() - jit) / 1e3);
    System.out.println(round.toLine());
    System.exit(0);
  }

  private static byte[] stream(int objects) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream(objects * 1400);
    for (int i = 0; i < objects; i++) {
      String line = "{\"type\":\"ADDED\",\"object\":" + BenchObjects.json(i, 1_000_000_000 + i);
      stream.writeBytes((line + "}\n").getBytes(StandardCharsets.UTF_8));
    }
    stream.writeBytes(
        """
        {"type":"BOOKMARK","object":{"kind":"BenchResource","apiVersion":"bench.windlass.dev/v1",\
        "metadata":{"resourceVersion":"2000000000","annotations":{"k8s.io/initial-events-end":"true"}}}}
        """
            .getBytes(StandardCharsets.UTF_8));
    return stream.toByteArray();
  }
}
