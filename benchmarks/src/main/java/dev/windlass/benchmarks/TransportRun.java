// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * The program that {@link TransportComparison} runs in each JVM. It prints the results of one
 * transport as one line.
 */
final class TransportRun {

  static final String HEADER =
      "transport   sync s  cpu s  heap MB  threads  write-to-handler ms (median, p99)";

  private static final int WRITES = 300;

  /** The transports that the benchmark compares: Windlass's own and those of fabric8. */
  enum Transport {
    WINDLASS,
    VERTX,
    JDK,
    /** The JDK's client without HTTP/2, which uses one connection per watch. */
    JDK_HTTP1,
    OKHTTP;

    HttpClient.Factory factory() {
      return switch (this) {
        case WINDLASS -> new SocketTransport();
        case VERTX -> new VertxHttpClientFactory();
        case JDK, JDK_HTTP1 -> new JdkHttpClientFactory();
        case OKHTTP -> new OkHttpClientFactory();
      };
    }
  }

  private TransportRun() {}

  /**
   * Runs one measurement.
   *
   * @param arguments the transport, the kubeconfig file and the number of objects
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Transport transport = Transport.valueOf(arguments[0]);
    Config config = Config.fromKubeconfig(Files.readString(Path.of(arguments[1])));
    config.setHttp2Disable(transport == Transport.JDK_HTTP1);
    int objects = Integer.parseInt(arguments[2]);
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(transport.factory())
            .build()) {
      measure(transport, client, objects);
    }
    System.exit(0); // a transport may leave threads running
  }

  private static void measure(Transport transport, KubernetesClient client, int objects)
      throws InterruptedException {
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    SharedIndexInformer<ConfigMap> informer =
        new SharedIndexInformer<>(
            codec,
            new HttpListerWatcher(client, codec.type(), WatchScope.namespace("default")),
            InformerOptions.defaults());
    SynchronousQueue<String> seen = new SynchronousQueue<>();
    informer.addEventHandler(
        event -> {
          if (event instanceof ResourceEvent.Added<ConfigMap> added && !added.initial()) {
            seen.put(event.key().name());
          }
        });
    long start = System.nanoTime();
    informer.start();
    while (informer.indexer().size() < objects || !informer.hasSynced()) {
      Thread.sleep(1);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpu = cpuSeconds();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long heap = (runtime.totalMemory() - runtime.freeMemory()) / (1024 * 1024);
    double[] latencies = latencies(client, seen);
    System.out.printf(
        "%-10s %7.2f %6.2f %8d %8d   %.1f, %.1f%n",
        transport,
        seconds,
        cpu,
        heap,
        Thread.activeCount(),
        latencies[WRITES / 2],
        latencies[WRITES * 99 / 100]);
    informer.stop(Duration.ofSeconds(5));
  }

  private static double cpuSeconds() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  /**
   * Returns the sorted times, in milliseconds, from the sending of a create request to the call of
   * the handler.
   */
  private static double[] latencies(KubernetesClient client, SynchronousQueue<String> seen)
      throws InterruptedException {
    double[] found = new double[WRITES];
    for (int i = 0; i < WRITES; i++) {
      ConfigMap object =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withGenerateName("latency-")
              .withNamespace("default")
              .endMetadata()
              .build();
      long start = System.nanoTime();
      ConfigMap created = client.resource(object).create();
      if (seen.poll(10, TimeUnit.SECONDS) == null) {
        throw new IllegalStateException("lost: " + created.getMetadata().getName());
      }
      found[i] = (System.nanoTime() - start) / 1e6;
      client.resource(created).delete();
    }
    Arrays.sort(found);
    return found;
  }
}
