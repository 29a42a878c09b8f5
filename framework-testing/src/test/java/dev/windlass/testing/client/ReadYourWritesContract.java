// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.informer.Informer;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Immediately after a write, by any method of any client, get, list and lists by index and label
 * show it. Several threads write, each to its own objects.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReadYourWritesContract {

  private static final int THREADS = 4;
  private static final int NAMES = 12;
  private static final String INDEX = "value";

  private String namespace = "unset";

  abstract TestApiServer server();

  /** A transport, and how many writes go through it, by all threads together. */
  record Run(HttpClient.Factory transport, int writes) {}

  abstract Stream<Run> runs();

  @ParameterizedTest
  @MethodSource("runs")
  void showsEachWriteToTheReadAfterIt(Run run) throws Exception {
    namespace = "own-" + UUID.randomUUID();
    int writes = run.writes();
    try (KubernetesClient base =
            new KubernetesClientBuilder()
                .withConfig(server().clientConfig())
                .withHttpClientFactory(run.transport())
                .build();
        Manager manager = Manager.builder().client(base).build()) {
      base.namespaces().resource(Samples.namespace(namespace)).create();
      Informer<ConfigMap> cache = manager.cache(ConfigMap.class);
      cache.indexer().addIndex(INDEX, map -> List.of(map.labels().getOrDefault("value", "none")));
      manager.start();
      eventually().untilAsserted(() -> assertThat(cache.hasSynced()).isTrue());
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<Integer>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Writer writer = new Writer(manager, thread);
        running.add(threads.submit(() -> writer.write(writes / THREADS)));
      }
      int reads = 0;
      for (Future<Integer> one : running) {
        reads += one.get();
      }
      threads.shutdown();
      System.out.printf("%,d writes, %,d reads right after them%n", writes, reads);
      eventually().untilAsserted(() -> assertThat(overlay(cache).waiting()).isZero());
      assertThat(overlay(cache).forgotten()).isZero();
      assertThat(manager.stop()).isTrue();
    }
  }

  /** One thread with its objects, and what they must be like. */
  private final class Writer {
    private final Client client;
    private final KubernetesClient plain;
    private final String owner;
    private final Random random;
    private final Map<String, String> expected = new HashMap<>();
    private int written;

    Writer(Manager manager, int thread) {
      this.client = manager.client();
      this.plain = manager.kubernetesClient();
      this.owner = "t" + thread;
      this.random = new Random(thread);
    }

    int write(int count) {
      int reads = 0;
      for (int i = 0; i < count; i++) {
        String name = owner + "-" + random.nextInt(NAMES);
        String before = expected.get(name);
        String what = before == null ? create(name) : change(name);
        assertThat(shown(name)).as("%s of %s, write %d", what, name, i).isEqualTo(state(name));
        reads++;
        if (i % 10 == 0) {
          assertThat(byLabel()).as("list after %s of %s", what, name).isEqualTo(expected);
          String wanted = expected.getOrDefault(name, "v0");
          assertThat(byIndex(wanted))
              .as("index after %s of %s", what, name)
              .isEqualTo(with(wanted));
          reads += 2;
        }
      }
      return reads;
    }

    private Optional<String> state(String name) {
      return Optional.ofNullable(expected.get(name));
    }

    private Optional<String> shown(String name) {
      return client
          .get(ConfigMap.class, ObjectKey.of(namespace, name))
          .map(map -> map.getMetadata().getLabels().get("value"));
    }

    private String create(String name) {
      String value = next();
      ConfigMap map = map(name, value);
      expected.put(name, value);
      switch (random.nextInt(3)) {
        case 0 -> {
          client.create(map);
          return "create";
        }
        case 1 -> {
          client.withFieldOwner("ryw").apply(map);
          return "apply that creates";
        }
        default -> {
          plain.resource(map).create();
          return "plain create";
        }
      }
    }

    private String change(String name) {
      ObjectKey key = ObjectKey.of(namespace, name);
      ConfigMap map = client.get(ConfigMap.class, key).orElseThrow();
      int choice = random.nextInt(9);
      if (choice >= 7) {
        expected.remove(name);
        if (choice == 7) {
          assertThat(client.delete(ConfigMap.class, key)).isTrue();
          return "delete";
        }
        plain.configMaps().inNamespace(namespace).withName(name).delete();
        return "plain delete";
      }
      String value = next();
      expected.put(name, value);
      ConfigMap changed = new ConfigMapBuilder(map).build();
      changed.getMetadata().setLabels(labels(value));
      switch (choice) {
        case 0, 1 -> {
          client.update(changed);
          return "update";
        }
        case 2 -> {
          client.patch(changed, ObjectPatch.mergeFrom(map).withOptimisticLock());
          return "patch";
        }
        case 3 -> {
          client.patch(
              map, ObjectPatch.merge("{\"metadata\":{\"labels\":{\"value\":\"" + value + "\"}}}"));
          return "raw patch";
        }
        case 4 -> {
          client.withFieldOwner("ryw").apply(map(name, value));
          return "apply";
        }
        case 5 -> {
          plain.resource(changed).update();
          return "plain update";
        }
        default -> {
          plain.configMaps().inNamespace(namespace).withName(name).edit(now -> changed);
          return "plain edit";
        }
      }
    }

    private Map<String, String> byLabel() {
      return byName(
          client.list(ConfigMap.class, ListParams.in(namespace).withLabels("owner=" + owner)));
    }

    private Map<String, String> byIndex(String value) {
      return byName(
          client.list(
              ConfigMap.class,
              ListParams.in(namespace).withIndex(INDEX, value).withLabels("owner=" + owner)));
    }

    private Map<String, String> with(String value) {
      Map<String, String> found = new HashMap<>(expected);
      found.values().removeIf(other -> !other.equals(value));
      return found;
    }

    private Map<String, String> byName(List<ConfigMap> maps) {
      return maps.stream()
          .collect(
              Collectors.toMap(
                  map -> map.getMetadata().getName(),
                  map -> map.getMetadata().getLabels().get("value")));
    }

    private String next() {
      return "v" + ++written;
    }

    private Map<String, String> labels(String value) {
      return Map.of("owner", owner, "value", value);
    }

    private ConfigMap map(String name, String value) {
      return new ConfigMapBuilder()
          .withNewMetadata()
          .withName(name)
          .withNamespace(namespace)
          .withLabels(labels(value))
          .endMetadata()
          .build();
    }
  }

  private static Overlay<ConfigMap> overlay(Informer<ConfigMap> cache) {
    return cache.overlay(ObjectKey.of("default", "any")).orElseThrow();
  }
}
