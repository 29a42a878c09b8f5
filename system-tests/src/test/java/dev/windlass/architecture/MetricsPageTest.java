// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.metrics.Scrape;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.Verdict;
import dev.windlass.webhook.migration.StorageMigration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written about metrics, against what a manager with one controller really emits. */
final class MetricsPageTest {

  private static final Path PAGE = Checkout.root().resolve("docs/operations/metrics.md");
  private static final Path OPERATIONS = Checkout.root().resolve("docs/operations.md");
  private static final Path DASHBOARD = Checkout.root().resolve("docs/dashboards/windlass.json");

  private static Emitted emitted;

  @BeforeAll
  static void runsAController() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        Manager manager =
            Manager.builder()
                .config(server.clientConfig())
                .shards(
                    ShardOptions.of("sample")
                        .withElection(election -> election.withNamespace("default"))
                        .withShards(2))
                .requestHistograms(true)
                .build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .sharded()
          .reconciler((request, context) -> Result.done())
          .register(manager);
      Webhooks.forAddress("sample", URI.create("https://127.0.0.1:9443"))
          .bindAddress("127.0.0.1:0")
          .drainTime(Duration.ZERO)
          .validate(ConfigMap.class, request -> Verdict.allow())
          .register(manager);
      StorageMigration.of(ConfigMap.class).register(manager);
      manager.start();
      manager
          .replicaKubernetesClient()
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("a-name")
                  .addToLabels("a-label", "a-value")
                  .endMetadata()
                  .build())
          .create();
      Scrape scrape = Scrape.of(manager.meterRegistry()).orElseThrow();
      eventually()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(scrape.text())
                      .contains(
                          "leader_election_master_status{name=\"sample-02-of-02\"} 1.0",
                          "windlass_informer_synced{cluster_name=\"main\",type=\"configmaps\"} 1.0")
                      .containsPattern(
                          "reconcile_total\\{controller=\"configmap\",result=\"success\"} [1-9]")
                      .containsPattern("code=\"201\",host=\"[^\"]*\",method=\"POST\"} [1-9]"));
      String text = scrape.text();
      assertThat(text).as("no user data").doesNotContain("a-name", "a-label", "a-value");
      emitted = Emitted.in(text);
    }
  }

  /** Each panel of "Controller-Runtime-Metrics", the dashboard of kubebuilder's Grafana plugin. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "controller_runtime_active_workers{@}",
        "sum(rate(controller_runtime_reconcile_total{@}[5m])) by (instance, pod)",
        "sum(rate(controller_runtime_reconcile_errors_total{@}[5m])) by (instance, pod)",
        "workqueue_depth{@}",
        "histogram_quantile(0.50,"
            + " sum(rate(workqueue_queue_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "histogram_quantile(0.90,"
            + " sum(rate(workqueue_queue_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "histogram_quantile(0.99,"
            + " sum(rate(workqueue_queue_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "sum(rate(workqueue_adds_total{@}[5m])) by (instance, name)",
        "rate(workqueue_unfinished_work_seconds{@}[5m])",
        "histogram_quantile(0.50,"
            + " sum(rate(workqueue_work_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "histogram_quantile(0.90,"
            + " sum(rate(workqueue_work_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "histogram_quantile(0.99,"
            + " sum(rate(workqueue_work_duration_seconds_bucket{@}[5m])) by (instance, name, le))",
        "sum(rate(workqueue_retries_total{@}[5m])) by (instance, name)",
      })
  void answersThePublicDashboardOfControllerRuntime(String query) {
    emitted.requireAll(query.replace("@", "job=\"$job\", namespace=\"$namespace\""));
  }

  /** Of other dashboards that people have: the questions are the same, whoever draws them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (controller, result) (rate(controller_runtime_reconcile_total{job=\"x\"}[5m]))",
        "sum(rate(controller_runtime_reconcile_total{result=\"error\"}[5m])) by (controller)",
        "sum(rate(controller_runtime_reconcile_errors_total[5m])) by (instance, pod)",
        "sum(rate(controller_runtime_terminal_reconcile_errors_total[5m])) by (controller)",
        "sum(rate(controller_runtime_reconcile_panics_total[5m])) by (controller)",
        "sum(rate(controller_runtime_reconcile_timeouts_total[5m])) by (controller)",
        "histogram_quantile(0.99, sum by (controller, le)"
            + " (rate(controller_runtime_reconcile_time_seconds_bucket[5m])))",
        "rate(controller_runtime_reconcile_time_seconds_sum[5m])"
            + " / rate(controller_runtime_reconcile_time_seconds_count[5m])",
        "controller_runtime_active_workers{controller=\"x\"}"
            + " / controller_runtime_max_concurrent_reconciles{controller=\"x\"}",
        "workqueue_depth{name=\"x\"}",
        "sum by (name, priority) (workqueue_depth{controller=\"x\"})",
        "sum(rate(workqueue_adds_total[2m])) by (instance, name)",
        "sum(rate(workqueue_retries_total{name=\"x\"}[2m])) by (name)",
        "histogram_quantile(0.5, sum(rate(workqueue_queue_duration_seconds_bucket[5m]))"
            + " by (instance, name, le))",
        "histogram_quantile(0.9, sum(rate(workqueue_work_duration_seconds_bucket[5m]))"
            + " by (instance, name, le))",
        "rate(workqueue_unfinished_work_seconds{name=\"x\"}[5m])",
        "workqueue_longest_running_processor_seconds{controller=\"x\"} > 60",
        "sum by (code, method) (rate(rest_client_requests_total{host=\"x\"}[5m]))",
        "sum(rate(rest_client_requests_total{code=~\"5..\"}[5m]))"
            + " / sum(rate(rest_client_requests_total[5m]))",
        "histogram_quantile(0.99, sum by (verb, host, le)"
            + " (rate(rest_client_request_duration_seconds_bucket[5m])))",
        "rate(rest_client_request_size_bytes_sum{verb=\"PUT\"}[5m])",
        "rate(rest_client_response_size_bytes_bucket{le=\"1024.0\"}[5m])",
        "leader_election_master_status{name=\"x\"} == 1",
        "sum(leader_election_master_status) by (name) != 1",
        // kubebuilder's "Controller-Resources-Metrics", and what everybody asks of a process
        "rate(process_cpu_seconds_total{job=\"x\"}[5m]) * 100",
        "process_resident_memory_bytes{job=\"x\"}",
        "changes(process_start_time_seconds{job=\"x\"}[1h]) > 2",
        "process_open_fds / process_max_fds",
        "sum by (area) (jvm_memory_used_bytes)",
      })
  void answersTheQueriesThatPeopleHaveForControllerRuntime(String query) {
    emitted.requireAll(query);
  }

  @Test
  void wouldNoticeAQueryForWhatIsNotThere() {
    for (String query :
        List.of(
            "rate(workqueue_added_total[5m])",
            "workqueue_depth{queue=\"x\"}",
            "sum by (controler) (workqueue_depth)",
            "workqueue_depth_bucket",
            "sum(1)")) {
      assertThatThrownBy(() -> emitted.requireAll(query))
          .as(query)
          .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void theDashboardAsksForWhatIsEmitted() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    List<String> expressions = new ArrayList<>();
    dashboard.path("panels").findValues("expr").forEach(e -> expressions.add(e.asText()));
    assertThat(expressions).hasSizeGreaterThan(30);
    expressions.forEach(emitted::requireAll);
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("its id is its own: %s", panel).isTrue();
      assertThat(panel.path("title").asText()).isNotBlank();
      JsonNode at = panel.path("gridPos");
      assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
    }
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      String query = variable.path("query").asText();
      if (query.startsWith("label_values(")) {
        int comma = query.indexOf(", ");
        String metric = query.substring("label_values(".length(), comma);
        String label = query.substring(comma + 2, query.length() - 1);
        emitted.requireAll("sum by (" + label + ") (" + metric + ")");
      }
    }
  }

  /** The alerts that `docs/operations.md` tells people to begin with. */
  @Test
  void theAlertsAskForWhatIsThere() {
    List<String> queries = new ArrayList<>();
    for (String line : Checkout.lines(OPERATIONS)) {
      Matcher query = Pattern.compile("\\| [^|]* \\| `(.*)`.*\\|").matcher(line);
      if (line.contains("_") && line.contains(" by (") && query.matches()) {
        queries.add(query.group(1));
      }
    }
    assertThat(queries).hasSize(13);
    queries.forEach(emitted::requireAll);
  }

  /** Those of the charts ask the same, of the metrics of their own namespace, for as long. */
  @Test
  void theAlertsOfChartsAreThoseOfThePage() {
    String rule = Alerts.template();
    List<String> rows = new ArrayList<>();
    Matcher alert =
        Pattern.compile("expr: (.*)\n(?: *for: (\\d+)m\n)?").matcher(Alerts.withoutPods(rule));
    while (alert.find()) {
      String time = alert.group(2) == null ? "" : " for " + alert.group(2) + " min";
      rows.add("`" + alert.group(1) + "`" + time + " |");
    }
    assertThat(rows).hasSize(13);
    assertThat(
            Checkout.lines(OPERATIONS).stream()
                .filter(line -> line.startsWith("| ") && line.contains(" by (")))
        .extracting(line -> line.substring(line.indexOf('`')))
        .containsExactlyElementsOf(rows);
  }

  /** An alert, and two scrapes between which it must fire, and must not. */
  private record Fires(String alert, String before, String after, String silent) {}

  /** A program that works; each of the scrapes below adds to it or replaces its series. */
  private static final String WORKS =
      """
      leader_election_master_status{name="x"} 1.0
      controller_runtime_reconcile_total{controller="foo",result="success"} 0.0
      """;

  private static final List<Fires> ALERTS =
      List.of(
          new Fires(
              "ReconcilesFail",
              "controller_runtime_reconcile_errors_total{controller=\"foo\"} 0",
              "controller_runtime_reconcile_errors_total{controller=\"foo\"} 11\n"
                  + "controller_runtime_reconcile_total{controller=\"foo\",result=\"error\"} 11",
              "controller_runtime_reconcile_errors_total{controller=\"foo\"} 0"),
          new Fires(
              "ObjectFails",
              "",
              "windlass_controller_longest_failing_seconds{controller=\"foo\"} 3601",
              "windlass_controller_longest_failing_seconds{controller=\"foo\"} 3600"),
          new Fires(
              "RequestsAccumulate",
              "",
              "workqueue_depth{name=\"foo\",priority=\"0\"} 60\n"
                  + "workqueue_depth{name=\"foo\",priority=\"-100\"} 41",
              "workqueue_depth{name=\"foo\",priority=\"0\"} 60\n"
                  + "workqueue_depth{name=\"bar\",priority=\"0\"} 41"),
          new Fires(
              "ReconcileDoesNotReturn",
              "",
              "workqueue_longest_running_processor_seconds{name=\"foo\"} 601",
              "workqueue_longest_running_processor_seconds{name=\"foo\"} 600"),
          new Fires(
              "NoLeader",
              "",
              "leader_election_master_status{name=\"x\"} 0.0",
              "leader_election_master_status{name=\"x\"} 1.0"),
          new Fires(
              "NoLeader", // one shard has no owner
              "",
              "leader_election_master_status{name=\"x-01-of-02\"} 1.0\n"
                  + "leader_election_master_status{name=\"x-02-of-02\"} 0.0",
              "leader_election_master_status{name=\"x-01-of-02\"} 1.0\n"
                  + "leader_election_master_status{name=\"x-02-of-02\"} 1.0"),
          new Fires(
              "ShardsUnbalanced",
              "",
              "windlass_shards_owned{name=\"x\",pod=\"a\"} 5\n"
                  + "windlass_shards_share{name=\"x\",pod=\"a\"} 6\n"
                  + "windlass_shards_owned{name=\"x\",pod=\"b\"} 6\n"
                  + "windlass_shards_share{name=\"x\",pod=\"b\"} 6",
              "windlass_shards_owned{name=\"x\",pod=\"a\"} 3\n"
                  + "windlass_shards_share{name=\"x\",pod=\"a\"} 3\n"
                  + "windlass_shards_owned{name=\"x\",pod=\"b\"} 2\n"
                  + "windlass_shards_share{name=\"x\",pod=\"b\"} 2"),
          new Fires(
              "WebhooksFail",
              "controller_runtime_webhook_requests_total{code=\"500\",webhook=\"/v\"} 1",
              "controller_runtime_webhook_requests_total{code=\"500\",webhook=\"/v\"} 2",
              "controller_runtime_webhook_requests_total{code=\"500\",webhook=\"/v\"} 1\n"
                  + "controller_runtime_webhook_requests_total{code=\"200\",webhook=\"/v\"} 9"),
          new Fires(
              "CertificatesFail",
              "",
              "windlass_controller_failing_objects{controller=\"webhook-certificates\"} 1",
              "windlass_controller_failing_objects{controller=\"webhook-certificates\"} 0\n"
                  + "windlass_controller_failing_objects{controller=\"foo\"} 1"),
          new Fires(
              "CertificateExpires",
              "",
              "windlass_webhook_certificate_seconds_left 604799",
              "windlass_webhook_certificate_seconds_left 604800"),
          new Fires(
              "CertificateUnreadable",
              "windlass_webhook_certificate_read_errors_total 3",
              "windlass_webhook_certificate_read_errors_total 4",
              "windlass_webhook_certificate_read_errors_total 3"),
          new Fires(
              "CertificateUnreadable",
              "certwatcher_read_certificate_errors_total 3",
              "certwatcher_read_certificate_errors_total 4",
              "certwatcher_read_certificate_errors_total 3"),
          new Fires(
              "CacheFails",
              "",
              "windlass_informer_failing{cluster_name=\"main\",type=\"foos\"} 1",
              "windlass_informer_failing{cluster_name=\"main\",type=\"foos\"} 0"),
          new Fires(
              "PermissionMissing",
              "rest_client_requests_total{code=\"403\",host=\"h\",method=\"POST\"} 1",
              "windlass_permissions_missing 1",
              "windlass_permissions_missing 0\n" // a quota, or a namespace that is being deleted
                  + "rest_client_requests_total{code=\"403\",host=\"h\",method=\"POST\"} 9"));

  @Test
  void eachAlertFiresWhenItMustAndIsSilentOtherwise() {
    Alerts alerts = Alerts.ofCharts();
    Set<String> tested = new TreeSet<>(Set.of("Restarts"));
    for (Fires each : ALERTS) {
      String before = WORKS + each.before();
      assertThat(alerts.firing(List.of(before, WORKS + each.after())))
          .containsExactly(each.alert());
      assertThat(alerts.firing(List.of(before, WORKS + each.silent()))).as(each.alert()).isEmpty();
      tested.add(each.alert());
    }
    List<String> starts = new ArrayList<>();
    for (int start = 1; start <= 4; start++) {
      starts.add(WORKS + "process_start_time_seconds " + start);
      assertThat(alerts.firing(starts)).hasSize(start / 4);
    }
    assertThat(alerts.firing(List.of(""))).as("no replica is scraped").containsExactly("NoLeader");
    assertThat(tested).containsExactlyInAnyOrderElementsOf(alerts.names());
  }

  @Test
  void thePageListsEveryMetricWithItsTypeAndLabels() {
    Map<String, String> rows = new TreeMap<>();
    Set<String> ofTheJvm = new TreeSet<>();
    for (Emitted.Metric metric : emitted.all()) {
      if (metric.name().startsWith("jvm_")) {
        ofTheJvm.add(metric.name());
        continue;
      }
      rows.put(
          metric.name(),
          "| `%s` | %s | %s | %s |"
              .formatted(
                  metric.name(), metric.type(), String.join(", ", metric.labels()), metric.help()));
    }
    Map<String, String> written = new TreeMap<>();
    for (String line : Checkout.lines(PAGE)) {
      String[] cells = line.split(" \\| ", -1);
      if (line.startsWith("| `") && cells.length == 5) {
        String row = String.join(" | ", List.of(cells).subList(0, 4)) + " |";
        assertThat(written.put(cells[0].replaceAll("[|` ]", ""), row)).as(line).isNull();
      }
    }
    assertThat(written).containsExactlyEntriesOf(rows);
    Set<String> named = new TreeSet<>();
    for (String line : Checkout.lines(PAGE)) {
      Pattern.compile("`(jvm_\\w+)`").matcher(line).results().forEach(m -> named.add(m.group(1)));
    }
    assertThat(named).contains("jvm_gc_pause_seconds").hasSizeGreaterThan(9);
    named.remove("jvm_gc_pause_seconds"); // not before the first collection
    assertThat(ofTheJvm).containsAll(named);
  }
}
