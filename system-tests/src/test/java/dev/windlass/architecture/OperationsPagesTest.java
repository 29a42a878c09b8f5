// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written about endpoints, checks and rights, against what a manager does. */
@Timeout(60)
final class OperationsPagesTest {

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final HttpClient http = HttpClient.newHttpClient();

  /** The rows of the tables below a title, as their cells. */
  private static List<String[]> rows(String page, String title) {
    List<String[]> rows = new ArrayList<>();
    String section = "";
    for (String line : Checkout.lines(Checkout.root().resolve(page))) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (section.equals(title) && line.startsWith("| ") && !line.startsWith("|---")) {
        rows.add(line.substring(2).split(" \\| ?", -1));
      }
    }
    assertThat(rows).as("%s of %s", title, page).hasSizeGreaterThan(1);
    return rows.subList(1, rows.size());
  }

  private static Set<String> codes(String text) {
    Set<String> codes = new TreeSet<>();
    for (Matcher matcher = CODE.matcher(text); matcher.find(); ) {
      codes.add(matcher.group(1));
    }
    return codes;
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private Set<String> checks(int port, String path) throws Exception {
    return get(port, path + "?verbose")
        .body()
        .lines()
        .filter(line -> line.startsWith("["))
        .map(line -> line.substring(3).replaceAll(" .*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> written(String title) {
    Set<String> names = new TreeSet<>();
    rows("docs/operations/health.md", title).forEach(cells -> names.addAll(codes(cells[0])));
    return names;
  }

  /** Each page is at the endpoint that is said to serve it, and nowhere else. */
  @Test
  void eachEndpointServesWhatIsWrittenAndEachCheckIsDescribed() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        Manager manager =
            Manager.builder()
                .config(server.clientConfig())
                .healthProbeBindAddress("127.0.0.1:0")
                .metricsBindAddress("127.0.0.1:0")
                .build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .named("name")
          .reconciler((request, context) -> Result.done())
          .register(manager);
      manager.start();
      Map<String, Integer> ports =
          Map.of(
              "probes", manager.endpoints().probePort().orElseThrow(),
              "metrics", manager.endpoints().metricsPort().orElseThrow());
      int probes = manager.endpoints().probePort().orElseThrow();
      eventually()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(get(probes, "/readyz").statusCode()).isEqualTo(200));
      Set<String> served = new TreeSet<>();
      for (String[] row : rows("docs/operations.md", "Endpoints")) {
        Set<String> pages = codes(row[2]);
        assertThat(pagesOf(manager, row[0])).as("pages of the %s", row[0]).isEqualTo(pages);
        served.addAll(pages);
        for (String page : pages) {
          for (Map.Entry<String, Integer> port : ports.entrySet()) {
            assertThat(get(port.getValue(), page).statusCode())
                .as("%s at the endpoint of %s", page, port.getKey())
                .isEqualTo(port.getKey().equals(row[0]) ? 200 : 404);
          }
        }
      }
      String announced = "/healthz /livez /readyz /metrics /debug/windlass";
      assertThat(served).containsExactlyInAnyOrder(announced.split(" "));
      assertThat(checks(probes, "/livez")).isEqualTo(asShown(written("Liveness")));
      assertThat(checks(probes, "/healthz")).isEqualTo(asShown(written("Liveness")));
      assertThat(checks(probes, "/readyz")).isEqualTo(asShown(written("Readiness")));
    }
  }

  /** All that an endpoint has, told or not. */
  private static Set<String> pagesOf(Manager manager, String endpoint)
      throws ReflectiveOperationException {
    Object owner = manager.endpoints();
    for (String field : List.of(endpoint, "pages")) {
      Field found = owner.getClass().getDeclaredField(field);
      found.setAccessible(true);
      owner = Objects.requireNonNull(found.get(owner), field);
    }
    Set<String> paths = new TreeSet<>();
    ((Map<?, ?>) owner).keySet().forEach(path -> paths.add(String.valueOf(path)));
    return paths;
  }

  /** The page has a placeholder where the controller has its name. */
  private static Set<String> asShown(Set<String> names) {
    return names.stream()
        .map(name -> name.replaceAll("[<>]", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<Permission> rights(Consumer<ManagerBuilder> how, Consumer<Manager> what) {
    ManagerBuilder builder = Manager.builder().config(Config.empty());
    how.accept(builder);
    try (Manager manager = builder.build()) {
      what.accept(manager);
      return new TreeSet<>(manager.permissions().all());
    }
  }

  private static Set<Permission> rights(Consumer<Manager> what) {
    return rights(builder -> {}, what);
  }

  private static void register(
      Class<? extends HasMetadata> type, Manager manager, Consumer<ControllerBuilder<?>> more) {
    ControllerBuilder<?> builder =
        ControllerBuilder.forType(type).eventRecorder(EventRecorder.NONE);
    more.accept(builder);
    builder.reconciler((request, context) -> Result.done()).register(manager);
  }

  /** What a feature brings, and what there is without it. */
  private static Set<Permission> more(Set<Permission> with, Set<Permission> without) {
    Set<Permission> more = new TreeSet<>(with);
    more.removeAll(without);
    return more;
  }

  /** The rights of each row of the guide, by the beginning of the row. */
  private static Map<String, Set<Permission>> byFeature() {
    Set<Permission> map = rights(m -> register(ConfigMap.class, m, b -> {}));
    Set<Permission> mapAndSecret =
        rights(
            m -> {
              register(ConfigMap.class, m, b -> {});
              m.cache(Secret.class);
            });
    Map<String, Set<Permission>> features = new LinkedHashMap<>();
    features.put("`forType`", map);
    features.put(
        "`owns`",
        more(rights(m -> register(ConfigMap.class, m, b -> b.owns(Secret.class))), mapAndSecret));
    features.put(
        "a primary type",
        more(
            rights(m -> register(Widget.class, m, b -> {})),
            rights(m -> register(Widget.class, m, b -> b.usesNoStatus()))));
    features.put(
        "`finalizer(name",
        more(
            rights(
                m ->
                    register(
                        ConfigMap.class,
                        m,
                        b -> b.finalizer("example.com/f", (object, context) -> Result.done()))),
            map));
    features.put(
        "`usesFinalizers()`",
        more(rights(m -> register(ConfigMap.class, m, b -> b.usesFinalizers())), map));
    features.put("`manager.eventRecorder", rights(m -> m.eventRecorder("test")));
    features.put(
        "leader election",
        rights(
            builder ->
                builder.leaderElection(LeaderElectionOptions.of("l").withNamespace("default")),
            m -> {}));
    features.put(
        "`ManagerBuilder.metricsAuthentication(true)`",
        rights(
            builder -> builder.metricsAuthentication(true).metricsBindAddress("127.0.0.1:0"),
            m -> {}));
    features.put("`.uses(Type.class", Set.of());
    return features;
  }

  @Test
  void eachFeatureBringsTheRightsThatTheGuideNames() {
    Map<String, Set<Permission>> features = byFeature();
    List<String[]> rows =
        rows("docs/guides/permissions.md", "Permissions implied by each declaration");
    assertThat(rows).hasSameSizeAs(features.keySet());
    Set<String> verbs =
        List.of(Verb.values()).stream().map(Verb::toString).collect(Collectors.toSet());
    features.forEach(
        (feature, permissions) -> {
          String[] row =
              rows.stream().filter(r -> r[0].startsWith(feature)).findFirst().orElseThrow();
          Set<String> named = codes(row[1]);
          named.retainAll(verbs);
          assertThat(named)
              .as("the verbs of %s: %s", feature, permissions)
              .isEqualTo(
                  permissions.stream()
                      .map(p -> p.verb().toString())
                      .collect(Collectors.toCollection(TreeSet::new)));
        });
  }
}
