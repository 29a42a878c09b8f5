// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Measures how long each transport takes to recover when the network drops its connections without
 * closing them. The result is the time until an informer receives an object that the benchmark
 * creates directly after the drop. All transports are measured at the same time, each through its
 * own proxy. The benchmark needs {@code KUBEBUILDER_ASSETS}.
 */
public final class HalfOpenComparison {

  private static final Duration LIMIT = Duration.ofSeconds(150);

  private HalfOpenComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws InterruptedException {
    try (RealApiServer server = RealApiServer.builder().start()) {
      Map<TransportRun.Transport, SharedIndexInformer<ConfigMap>> informers =
          new EnumMap<>(TransportRun.Transport.class);
      Map<TransportRun.Transport, TcpProxy> networks = new EnumMap<>(TransportRun.Transport.class);
      for (TransportRun.Transport transport : TransportRun.Transport.values()) {
        TcpProxy network = TcpProxy.to(URI.create(server.clientConfig().getMasterUrl()).getPort());
        networks.put(transport, network);
        informers.put(transport, start(transport, server.clientConfig(), network));
      }
      Thread.sleep(1000); // the watches open within this time
      networks.values().forEach(TcpProxy::forget);
      try (KubernetesClient client = server.newClient()) {
        client.resource(object()).create();
      }
      await(informers);
    }
    System.exit(0); // a transport may leave threads running
  }

  private static ConfigMap object() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("after")
        .withNamespace("default")
        .endMetadata()
        .build();
  }

  private static SharedIndexInformer<ConfigMap> start(
      TransportRun.Transport transport, Config config, TcpProxy network)
      throws InterruptedException {
    config.setMasterUrl("https://127.0.0.1:" + network.port() + "/");
    config.setHttp2Disable(transport == TransportRun.Transport.JDK_HTTP1);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(transport.factory())
            .build();
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    SharedIndexInformer<ConfigMap> informer =
        new SharedIndexInformer<>(
            codec,
            new HttpListerWatcher(client, codec.type(), WatchScope.namespace("default")),
            InformerOptions.defaults());
    informer.start();
    while (!informer.hasSynced()) {
      Thread.sleep(1);
    }
    return informer;
  }

  private static void await(Map<TransportRun.Transport, SharedIndexInformer<ConfigMap>> informers)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!informers.isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
      Thread.sleep(100);
      informers
          .entrySet()
          .removeIf(
              entry -> {
                boolean seen =
                    entry.getValue().indexer().get(ObjectKey.of("default", "after")).isPresent();
                if (seen) {
                  System.out.printf(
                      "%-10s saw it after %.1f s%n",
                      entry.getKey(), (System.nanoTime() - start) / 1e9);
                }
                return seen;
              });
    }
    informers.keySet().forEach(t -> System.out.printf("%-10s is blind after %s%n", t, LIMIT));
  }
}
