// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of threads in {@code docs/architecture.md}, against the threads of a manager. */
final class ThreadsTest {

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /**
   * What this manager has no reason to start: a cut stop, a certificate, a storage migration, a
   * connection of its own client, a response that does not arrive; and what others make.
   */
  private static final List<String> ELSEWHERE =
      List.of(
          "<controller>-source-<n>-stop",
          "<controller>-cancel",
          "metrics-certificate",
          "storage-migration-<resource>",
          "HTTP-Dispatcher",
          "idle-timeout-task",
          "windlass-http-<n>",
          "windlass-http-timeout",
          "windlass-scheduler");

  private final List<Thread> made = new CopyOnWriteArrayList<>();

  /** The names in the first column, such as {@code informer-<resource>-applier}. */
  private static List<String> documented() {
    List<String> lines = Checkout.lines(Checkout.root().resolve("docs/architecture.md"));
    int first = lines.indexOf("## Threads");
    assertThat(first).as("the section").isNotNegative();
    List<String> names = new ArrayList<>();
    lines.subList(first + 1, lines.size()).stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .forEach(
            line -> {
              List<String> cells = List.of(line.split("\\|", -1));
              assertThat(cells.get(3)).as("what it does: %s", line).isNotBlank();
              Matcher name = NAME.matcher(cells.get(1));
              while (name.find()) {
                names.add(name.group(1));
              }
            });
    return names;
  }

  private static Pattern pattern(String name) {
    String quoted = Pattern.quote(name);
    return Pattern.compile(
        quoted
            .replace("<n>", "\\E\\d+\\Q")
            .replaceAll(
                "<(resource|plural|controller|period|component|lease)>", "\\\\E[^ ]+\\\\Q"));
  }

  private Thread make(Runnable task) {
    Thread thread = new Thread(task);
    made.add(thread);
    return thread;
  }

  private Manager manager(KubernetesClient client) {
    return Manager.builder()
        .client(client)
        .informerOptions(InformerOptions.defaults().withThreads(this::make))
        .leaderElection(LeaderElectionOptions.of("lease").withNamespace("default"))
        .healthProbeBindAddress("127.0.0.1:0")
        .metricsBindAddress("127.0.0.1:0")
        .metricsText(() -> "")
        .build();
  }

  /** A controller with a source of each kind, which tells Events. */
  private static Controller register(Manager manager, EventChannel<ConfigMap> channel) {
    return ControllerBuilder.forType(ConfigMap.class)
        .named("maps")
        .owns(Pod.class)
        .watches(channel, EventHandler.self())
        .watches(
            Source.ticker(
                Duration.ofSeconds(1),
                () -> List.of(Request.of("default", "a")),
                manager.informerOptions()))
        .reconciler(
            (request, context) -> {
              manager
                  .client()
                  .get(ConfigMap.class, request.key())
                  .ifPresent(found -> manager.eventRecorder("maps").normal(found, "Seen", "seen"));
              return Result.done();
            })
        .register(manager);
  }

  private void workALittle(KubernetesClient client) {
    try (Manager manager = manager(client);
        EventChannel<ConfigMap> channel =
            Source.channel(ConfigMap.class, manager.informerOptions())) {
      Controller controller = register(manager, channel);
      manager.start();
      eventually().atMost(Duration.ofSeconds(60)).until(controller::isReady);
      client
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("a")
                  .endMetadata()
                  .build())
          .create();
      eventually()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(client.events().v1().events().inNamespace("default").list().getItems())
                      .anySatisfy(event -> assertThat(event.getReason()).isEqualTo("Seen")));
      ask(manager.endpoints().probePort().orElseThrow(), "/readyz");
      ask(manager.endpoints().metricsPort().orElseThrow(), "/metrics");
    }
  }

  private static void ask(int port, String path) {
    URI address = URI.create("http://127.0.0.1:" + port + path);
    try {
      HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** No thread that the page does not name, and no name on the page without a thread. */
  @Test
  @Proves("002-42")
  void areThoseOfThePage() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      workALittle(client);
    }
    List<String> names = made.stream().map(Thread::getName).distinct().sorted().toList();
    List<Pattern> known = documented().stream().map(ThreadsTest::pattern).toList();
    assertThat(names)
        .as("threads of the manager")
        .isNotEmpty()
        .allMatch(name -> known.stream().anyMatch(p -> p.matcher(name).matches()));
    assertThat(documented())
        .contains(ELSEWHERE.toArray(String[]::new))
        .filteredOn(name -> !ELSEWHERE.contains(name))
        .hasSizeGreaterThan(10)
        .allMatch(name -> names.stream().anyMatch(n -> pattern(name).matcher(n).matches()));
  }
}
