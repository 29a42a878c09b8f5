// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** fabric8 opens its own watches as WebSockets, which the transport leaves to another one. */
@Timeout(60)
final class Fabric8WatchIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private final BlockingQueue<Watcher.Action> seen = new LinkedBlockingQueue<>();

  private final class Seeing implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap map) {
      seen.add(action);
    }

    @Override
    public void onClose(@Nullable WatcherException cause) {}
  }

  @Test
  void seesTheChangesThroughTheManagersClient() throws InterruptedException {
    try (Manager manager = Manager.builder().config(kubernetes.server().clientConfig()).build()) {
      KubernetesClient client = manager.kubernetesClient();
      ConfigMap map =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace("default")
              .withName("fabric8-watch")
              .endMetadata()
              .build();
      Resource<ConfigMap> maps = client.resource(map);
      Watch watch = maps.watch(new Seeing());
      try (watch) {
        assertThat(Thread.getAllStackTraces().keySet())
            .as("the WebSocket")
            .anyMatch(thread -> thread.getName().startsWith("vert.x"));
        maps.create();
        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(Watcher.Action.ADDED);
        maps.delete();
        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(Watcher.Action.DELETED);
      }
    }
  }
}
