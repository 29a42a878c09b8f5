// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.Informer;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a manager caches, and whether its reads know of its own writes, by its options. */
@Timeout(60)
final class CacheOptionsTest {

  private static final ObjectKey A = ObjectKey.of("default", "a");

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  private Manager started(ManagerBuilder builder) {
    Manager manager = builder.config(server.clientConfig()).checkPermissions(false).build();
    manager.start();
    manager.client().create(map("a"));
    server.clearRequests();
    return manager;
  }

  private static ConfigMap map(String name) {
    return Samples.map("default", name);
  }

  private long requests(String verb, String resource) {
    return server.requests().stream()
        .filter(request -> request.verb().name().toLowerCase(Locale.ROOT).equals(verb))
        .filter(request -> request.resource().equals(resource))
        .count();
  }

  @Test
  void cachesATypeFromItsFirstUseIfAskedTo() {
    try (Manager manager = started(Manager.builder().cacheOnFirstUse(true))) {
      assertThat(manager.client().get(ConfigMap.class, A)).as("live, at once").isPresent();
      SharedIndexInformer<ConfigMap> cache =
          manager.informers().existing(ConfigMap.class).orElseThrow();
      eventually().until(cache::hasSynced);
      server.clearRequests();
      assertThat(manager.client().get(ConfigMap.class, A)).as("from the cache").isPresent();
      assertThat(requests("get", "configmaps")).isZero();
    }
  }

  @Test
  void neverCachesSecretsByAccident() {
    try (Manager manager = started(Manager.builder().cacheOnFirstUse(true))) {
      assertThat(manager.client().get(Secret.class, A)).isEmpty();
      assertThat(manager.informers().existing(Secret.class)).isEmpty();
      assertThat(requests("get", "secrets")).isEqualTo(1);
      assertThat(requests("list", "secrets") + requests("watch", "secrets")).isZero();
    }
  }

  /** By default, OwnReadsContract holds. */
  @Test
  void readsTheCacheAloneIfAskedTo() {
    LateWatch watch = new LateWatch();
    try (Manager manager =
        started(
            Manager.builder()
                .readYourWrites(false)
                .connector(
                    client ->
                        (type, scope) -> watch.over(new HttpListerWatcher(client, type, scope))))) {
      Informer<ConfigMap> cache = manager.cache(ConfigMap.class);
      eventually().until(cache::hasSynced);
      watch.late(true);
      manager.client().create(map("b"));
      assertThat(manager.client().get(ConfigMap.class, ObjectKey.of("default", "b"))).isEmpty();
      watch.late(false);
      eventually().until(() -> cache.indexer().get(ObjectKey.of("default", "b")).isPresent());
      assertThat(requests("get", "configmaps")).as("no read was live").isZero();
    }
  }

  @Test
  void countsTheWritesThatItHasNotSent() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (Manager manager = started(Manager.builder().meterRegistry(meters).cacheOnFirstUse(true))) {
      manager.client().get(ConfigMap.class, A);
      eventually().until(manager.informers().existing(ConfigMap.class).orElseThrow()::hasSynced);
      ConfigMap read = manager.client().get(ConfigMap.class, A).orElseThrow();
      FunctionCounter skipped =
          meters.get("windlass_client_skipped_writes_total").functionCounter();
      assertThat(skipped.count()).isZero();
      manager.client().update(read);
      assertThat(skipped.count()).isEqualTo(1);
      read.setData(Map.of("now", "it differs"));
      manager.client().update(read);
      assertThat(skipped.count()).isEqualTo(1);
      assertThat(requests("update", "configmaps")).isEqualTo(1);
    }
  }
}
