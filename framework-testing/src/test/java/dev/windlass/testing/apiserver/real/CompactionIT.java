// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** What {@link RealApiServer#compact} promises about 410. */
class CompactionIT {

  @Test
  void endsAWatchFromBeforeItOnlyAfterARestart() throws Exception {
    try (RealApiServer server = RealApiServer.builder().start();
        KubernetesClient client = server.newClient()) {
      String old = create(client, "first");
      String latest = create(client, "second");

      server.compact();
      assertThat(firstOfWatchFrom(client, old)).isEqualTo("ADDED second");

      server.killApiServer();
      server.startApiServer();
      assertThat(firstOfWatchFrom(client, old)).isEqualTo("410");
      assertThat(firstOfWatchFrom(client, latest)).isEqualTo("410");
    }
  }

  @Test
  void endsAWatchFromBeforeItAtOnceWithoutWatchCache() throws Exception {
    try (RealApiServer server =
            RealApiServer.builder().apiServerFlags("--watch-cache=false").start();
        KubernetesClient client = server.newClient()) {
      String latest = create(client, "latest");

      long lowest = server.compact();

      assertThat(lowest).isGreaterThan(Long.parseLong(latest));
      assertThat(firstOfWatchFrom(client, latest)).isEqualTo("410");
    }
  }

  /** Creates a config map and returns its resourceVersion. */
  private static String create(KubernetesClient client, String name) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .endMetadata()
            .build();
    return client.resource(map).create().getMetadata().getResourceVersion();
  }

  private static String firstOfWatchFrom(KubernetesClient client, String resourceVersion)
      throws InterruptedException {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap map) {
            seen.add(action + " " + map.getMetadata().getName());
          }

          @Override
          public void onClose(WatcherException cause) {
            seen.add(cause.isHttpGone() ? "410" : cause.toString());
          }
        };
    try (Watch watch =
        client
            .configMaps()
            .inNamespace("default")
            .watch(
                new ListOptionsBuilder().withResourceVersion(resourceVersion).build(), watcher)) {
      assertThat(watch).isNotNull();
      String first = seen.poll(10, SECONDS);
      return first == null ? "nothing" : first;
    }
  }
}
