// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.health.HealthCheck;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.OnWedged;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code of {@code docs/operations}, but for tracing. */
@Timeout(60)
final class OperationsTest {

  @TempDir private Path folder;
  @AutoClose private final GuideServer server = new GuideServer();

  private static Manager withEndpoints(KubernetesClient client) {
    // sample: endpoints
    Manager manager =
        Manager.builder()
            .client(client)
            .healthProbeBindAddress(":8081")
            .metricsBindAddress(":8080")
            .build();
    // end
    return manager;
  }

  /** Not started here: the ports may be somebody else's. */
  @Test
  void opensNoPortBeforeItStarts() {
    try (Manager manager = withEndpoints(server.kubectl)) {
      assertThat(manager.endpoints().probePort()).isEmpty();
      assertThat(manager.endpoints().metricsPort()).isEmpty();
    }
  }

  private interface Database {
    void ping();
  }

  private static void requireWritable(Path folder) {
    if (!Files.isWritable(folder)) {
      throw new IllegalStateException(folder.getFileName() + " is not writable");
    }
  }

  private static void addChecks(Manager manager, Database database, Path folder) {
    // sample: checks
    manager.addReadyCheck("database", () -> database.ping());
    manager.addHealthCheck("disk", () -> requireWritable(folder));
    // end
  }

  // sample: check
  boolean isReady(Manager manager) throws InterruptedException {
    Map<String, Optional<String>> problems = manager.endpoints().check(HealthCheck.Kind.READY);
    return problems.values().stream().allMatch(Optional::isEmpty);
  }

  // end

  /** In the process, without a port: as a web framework's own probe would. */
  @Test
  void answersWithoutHttp() throws Exception {
    try (Manager manager = Manager.builder().client(server.kubectl).build()) {
      AtomicBoolean up = new AtomicBoolean(true);
      manager.addReadyCheck("database", () -> assertThat(up).isTrue());
      manager.start();
      assertThat(manager.endpoints().probePort()).isEmpty();
      await().until(() -> isReady(manager));
      up.set(false);
      await().until(() -> !isReady(manager)); // a check runs at most once within 100 ms
      assertThat(manager.endpoints().check(HealthCheck.Kind.READY).get("database")).isPresent();
      assertThat(manager.endpoints().check(HealthCheck.Kind.LIVE).get("ping")).isEmpty();
    }
  }

  private static String ask(Manager manager, String path) throws Exception {
    URI uri =
        URI.create("http://127.0.0.1:" + manager.endpoints().probePort().orElseThrow() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void asksTheChecks() throws Exception {
    try (Manager manager =
        Manager.builder().client(server.kubectl).healthProbeBindAddress("127.0.0.1:0").build()) {
      addChecks(
          manager,
          () -> {
            throw new IllegalStateException("the database is away");
          },
          folder);
      manager.start();
      assertThat(ask(manager, "/readyz?verbose")).contains("database", "the database is away");
      assertThat(ask(manager, "/livez?verbose")).contains("disk ok");
    }
  }

  private static ManagerBuilder givingUp() {
    return
    // sample: wedged
    Manager.builder().wedgedWorkers(Duration.ofSeconds(60), OnWedged.GIVE_UP_LEADERSHIP)
    // end
    ;
  }

  private static void count(KubernetesClient client, MeterRegistry registry) {
    // sample: meters
    Manager manager = Manager.builder().client(client).meterRegistry(registry).build();
    Counter added = manager.meterRegistry().counter("tenant_controller_added_namespaces"); // yours
    // end
    added.increment();
    manager.close();
  }

  @Test
  void countsInTheRegistryThatItIsGiven() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    count(server.kubectl, registry);
    assertThat(registry.counter("tenant_controller_added_namespaces").count()).isEqualTo(1);
    assertThat(givingUp().client(server.kubectl).build().stop()).isTrue();
  }
}
