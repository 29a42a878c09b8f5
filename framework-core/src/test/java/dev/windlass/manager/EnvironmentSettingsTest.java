// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.kubeconfig.ClientConfig;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.ShardOptions;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Code first, then system properties, then the environment. */
final class EnvironmentSettingsTest {

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private final EnvironmentSettings settings =
      new EnvironmentSettings(properties::get, environment::get);

  private ManagerBuilder builder() {
    return Manager.builder().settings(settings);
  }

  private record Case(String name, String value, String message) {}

  private static final String POSITIVE =
      "a positive duration with a unit, such as '30s', '2m', '500ms' or 'PT30S'";

  @Test
  void prefersTheProgramToThePropertiesAndThoseToTheEnvironment() {
    assertThat(builder().stopTimeout()).isEqualTo(Duration.ofSeconds(25));
    environment.put("WINDLASS_STOP_TIMEOUT", "2m");
    assertThat(builder().stopTimeout()).isEqualTo(Duration.ofMinutes(2));
    properties.put("windlass.stop-timeout", " 500ms ");
    assertThat(builder().stopTimeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(builder().stopTimeout(Duration.ofSeconds(7)).stopTimeout())
        .isEqualTo(Duration.ofSeconds(7));
    properties.put("windlass.stop-timeout", "");
    assertThat(builder().stopTimeout()).isEqualTo(Duration.ofMinutes(2));
  }

  private static InformerOptions watches(Duration timeout) {
    return InformerOptions.defaults().withWatchTimeout(timeout);
  }

  @Test
  void setsTheWatchTimeoutUnlessTheProgramHasSetOne() {
    assertThat(builder().informerOptions().watchTimeout()).isEqualTo(Duration.ofSeconds(20));
    environment.put("WINDLASS_WATCH_TIMEOUT", "5m");
    assertThat(builder().informerOptions().watchTimeout()).isEqualTo(Duration.ofMinutes(5));
    InformerOptions audited = InformerOptions.defaults().withAuditPeriod(Duration.ofHours(1));
    InformerOptions both = builder().informerOptions(audited).informerOptions();
    assertThat(both.watchTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(both.auditPeriod()).isEqualTo(Duration.ofHours(1));
    InformerOptions own = watches(Duration.ofMinutes(2));
    assertThat(builder().informerOptions(own).informerOptions().watchTimeout())
        .isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void namesTheSettingWithATooShortWatchTimeout() {
    environment.put("WINDLASS_WATCH_TIMEOUT", "5s");
    assertThatThrownBy(() -> builder().config(Config.empty()).build())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "the variable WINDLASS_WATCH_TIMEOUT can't be used: invalid watch time-out 5 s: use at"
                + " least 10 s and at most 1 h");
  }

  @Test
  void electsALeaderAsItIsSet() {
    assertThat(builder().leaderElection()).isEmpty();
    environment.put("WINDLASS_LEADER_ELECTION", "true");
    assertThatThrownBy(() -> builder().leaderElection())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "leader election is on, but the Lease has no name: set"
                + " windlass.leader-election.name or WINDLASS_LEADER_ELECTION_NAME");
    environment.put("WINDLASS_LEADER_ELECTION_NAME", "foo");
    assertThat(builder().leaderElection()).contains(LeaderElectionOptions.of("foo"));
    environment.put("WINDLASS_LEADER_ELECTION_NAMESPACE", "ns");
    environment.put("WINDLASS_LEADER_ELECTION_IDENTITY", "me");
    environment.put("WINDLASS_LEADER_ELECTION_LEASE_DURATION", "PT1M");
    environment.put("WINDLASS_LEADER_ELECTION_RENEW_DEADLINE", "40s");
    environment.put("WINDLASS_LEADER_ELECTION_RETRY_PERIOD", "5s");
    environment.put("WINDLASS_LEADER_ELECTION_RELEASE_ON_STOP", "FALSE");
    environment.put("WINDLASS_LEADER_ELECTION_ON_LOST", "stand-by");
    assertThat(builder().leaderElection())
        .contains(
            LeaderElectionOptions.of("foo")
                .withNamespace("ns")
                .withIdentity("me")
                .withDurations(Duration.ofMinutes(1), Duration.ofSeconds(40), Duration.ofSeconds(5))
                .withoutReleaseOnStop());
    assertThat(builder().onLeadershipLost()).isEqualTo(OnLeadershipLost.STAND_BY);
    assertThat(builder().onLeadershipLost(OnLeadershipLost.STOP).onLeadershipLost())
        .isEqualTo(OnLeadershipLost.STOP);
    assertThat(builder().leaderElection(LeaderElectionOptions.of("bar")).leaderElection())
        .as("what the program says is not mixed with the rest")
        .contains(LeaderElectionOptions.of("bar"));
  }

  @Test
  void findsTheServerAsItIsSet() {
    environment.put("WINDLASS_KUBECONFIG", "/no/such/file");
    assertThatThrownBy(() -> builder().build()).hasMessageContaining("/no/such/file");
    properties.put("windlass.master", "http://127.0.0.1:1");
    environment.clear();
    environment.put("WINDLASS_NAMESPACE", "ns");
    try (Manager manager = builder().build()) {
      assertThat(manager.kubernetesClient().getConfiguration().getMasterUrl())
          .isEqualTo("http://127.0.0.1:1/");
      assertThat(manager.informers().defaultScope().namespace()).isEqualTo("ns");
    }
    try (Manager manager = builder().config(Config.empty()).namespace("mine").build()) {
      assertThat(manager.kubernetesClient().getConfiguration().getMasterUrl())
          .isNotEqualTo("http://127.0.0.1:1/");
      assertThat(manager.informers().defaultScope().namespace()).isEqualTo("mine");
    }
    environment.put("WINDLASS_KUBECONFIG", "/no/such/file");
    try (Manager manager = builder().master("http://127.0.0.1:2").build()) {
      assertThat(manager.kubernetesClient().getConfiguration().getMasterUrl())
          .isEqualTo("http://127.0.0.1:2/");
    }
  }

  private record Unused(String variable, String value, UnaryOperator<ManagerBuilder> program) {}

  private static Unused unused(
      String variable, String value, UnaryOperator<ManagerBuilder> program) {
    return new Unused(variable, value, program);
  }

  private static UnaryOperator<ManagerBuilder> elects(
      UnaryOperator<LeaderElectionOptions> options) {
    return b -> b.leaderElection(options.apply(LeaderElectionOptions.of("foo")));
  }

  private static final UnaryOperator<LeaderElectionOptions> ELECTION =
      options ->
          options
              .withNamespace("ns")
              .withIdentity("me")
              .withDurations(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(5))
              .withoutReleaseOnStop();

  /** Each setting, with a program that sets the same. */
  private static final List<Unused> OVERRIDDEN =
      List.of(
          unused("KUBECONFIG", "/a", b -> b.kubeconfig(Path.of("/a"))),
          unused("MASTER", "http://a", b -> b.master("http://a")),
          unused("NAMESPACE", "ns", b -> b.namespace("ns")),
          unused("STOP_TIMEOUT", "7s", b -> b.stopTimeout(Duration.ofSeconds(7))),
          unused("WATCH_TIMEOUT", "5m", b -> b.informerOptions(watches(Duration.ofMinutes(5)))),
          unused("LEADER_ELECTION", "true", elects(ELECTION)),
          unused("LEADER_ELECTION_NAME", "foo", elects(ELECTION)),
          unused("LEADER_ELECTION_NAMESPACE", "ns", elects(ELECTION)),
          unused("LEADER_ELECTION_IDENTITY", "me", elects(ELECTION)),
          unused("LEADER_ELECTION_LEASE_DURATION", "1m", elects(ELECTION)),
          unused("LEADER_ELECTION_RENEW_DEADLINE", "40s", elects(ELECTION)),
          unused("LEADER_ELECTION_RETRY_PERIOD", "5s", elects(ELECTION)),
          unused("LEADER_ELECTION_RELEASE_ON_STOP", "false", elects(ELECTION)),
          unused(
              "LEADER_ELECTION_ON_LOST",
              "stand-by",
              b -> b.onLeadershipLost(OnLeadershipLost.STAND_BY)),
          unused("SHARDS", "6", b -> b.shards(ShardOptions.of("ours").withShards(6))),
          unused("HEALTH_BIND_ADDRESS", ":1", b -> b.healthProbeBindAddress(":1")),
          unused("METRICS_BIND_ADDRESS", ":2", b -> b.metricsBindAddress(":2")),
          unused(
              "METRICS_AUTHENTICATION",
              "true",
              b -> b.metricsBindAddress(":2").metricsAuthentication(true)),
          unused("METRICS_REQUEST_HISTOGRAMS", "true", b -> b.requestHistograms(true)),
          unused(
              "HEALTH_WEDGED_AFTER",
              "1m",
              b -> b.wedgedWorkers(Duration.ofMinutes(1), OnWedged.REPORT)),
          unused(
              "HEALTH_ON_WEDGED",
              "report",
              b -> b.wedgedWorkers(Duration.ofMinutes(1), OnWedged.REPORT)),
          unused("EVENTS_PER_SECOND", "9", b -> b.eventsPerSecond(9)));

  private static final Set<String> WITHOUT_OVERRIDE =
      Set.of("METRICS_TLS_CERTIFICATE", "METRICS_TLS_KEY");

  @Test
  void reportsEachSettingThatTheProgramOverrides() {
    assertThat(OVERRIDDEN.stream().map(each -> "WINDLASS_" + each.variable()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Setting.values())
                .map(Setting::variable)
                .filter(name -> !WITHOUT_OVERRIDE.contains(name.substring(9)))
                .toList());
    for (Unused each : OVERRIDDEN) {
      String variable = "WINDLASS_" + each.variable();
      environment.clear();
      assertThat(each.program().apply(builder()).settings().unused(true)).isEmpty();
      environment.put(variable, each.value());
      assertThat(each.program().apply(builder()).settings().unused(true))
          .as("the value of the program")
          .isEmpty();
      environment.put(variable, "another");
      assertThat(each.program().apply(builder()).settings().unused(true))
          .singleElement()
          .asString()
          .startsWith("The variable " + variable + " has no effect, because the program calls ")
          .endsWith("(...), which takes precedence");
    }
  }

  @Test
  void reportsSettingsThatNothingUses() {
    environment.put("WINDLASS_LEADER_ELECTION_IDENTITY", "me");
    environment.put("WINDLASS_LEADER_ELECTION_ON_LOST", "stand-by");
    environment.put("WINDLASS_METRICS_TLS_KEY", "/key");
    assertThat(builder().settings().unused(false))
        .containsExactlyInAnyOrder(
            "The variable WINDLASS_LEADER_ELECTION_IDENTITY has no effect, because"
                + " windlass.leader-election is not true",
            "The variable WINDLASS_LEADER_ELECTION_ON_LOST has no effect, because this program"
                + " elects no leader",
            "The variable WINDLASS_METRICS_TLS_KEY has no effect, because metrics are not served");
    environment.clear();
    environment.put("WINDLASS_METRICS_TLS_KEY", "/key");
    assertThat(
            builder()
                .metricsBindAddress(":1")
                .metricsTls(Path.of("/c"), Path.of("/k"))
                .settings()
                .unused(false))
        .containsExactly(
            "The variable WINDLASS_METRICS_TLS_KEY has no effect, because the program calls"
                + " metricsTls(...), which takes precedence");
  }

  /** A kubeconfig of the program replaces the address from outside as well. */
  @Test
  void reportsAServerThatAClientReplaces() {
    environment.put("WINDLASS_MASTER", "http://a");
    assertThat(builder().config(Config.empty()).settings().unused(false))
        .containsExactly(
            "The variable WINDLASS_MASTER has no effect, because the program calls config(...),"
                + " which takes precedence");
  }

  @Test
  void reportsSettingsThatAreShadowed() {
    environment.put("WINDLASS_STOP_TIMEOUT", "1m");
    properties.put("windlass.stop-timeout", "1m");
    assertThat(builder().settings().unused(false)).as("the same value").isEmpty();
    properties.put("windlass.stop-timeout", "2m");
    assertThat(builder().settings().unused(false))
        .containsExactly(
            "The variable WINDLASS_STOP_TIMEOUT has no effect, because the system property"
                + " windlass.stop-timeout takes precedence");
    Map<String, String> configuration = new HashMap<>();
    ManagerBuilder framework =
        builder().settings(EnvironmentSettings.of(configuration::get, settings));
    assertThat(framework.settings().unused(false))
        .containsExactly(
            "The system property windlass.stop-timeout has no effect, because the program calls"
                + " settings(...)",
            "The variable WINDLASS_STOP_TIMEOUT has no effect, because the program calls"
                + " settings(...)");
    configuration.put("windlass.stop-timeout", "2m");
    environment.clear();
    assertThat(framework.settings().unused(false)).as("passed on").isEmpty();
  }

  /** By the names of the properties, and from nowhere else. */
  @Test
  void readsTheConfigurationOfAFramework() {
    environment.put("WINDLASS_NAMESPACE", "variable");
    Map<String, String> configuration = new HashMap<>();
    ManagerBuilder builder = builder().settings(configuration::get).config(Config.empty());
    assertThat(builder.scope()).isEqualTo(WatchScope.ALL);
    configuration.put("windlass.namespace", "framework");
    assertThat(builder.scope()).isEqualTo(WatchScope.namespace("framework"));
    configuration.put("windlass.stop-timeout", "soon");
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(
            "the setting windlass.stop-timeout is 'soon'; it must be a positive duration");
  }

  @Test
  void refusesWhatItCantUse() {
    for (Case each :
        List.of(
            new Case("stop-timeout", "soon", POSITIVE),
            new Case("stop-timeout", "0s", POSITIVE),
            new Case("stop-timeout", "-5s", POSITIVE),
            new Case("stop-timeout", "-PT1S", POSITIVE),
            new Case("watch-timeout", "often", "a duration with a unit, from '10s' to '1h'"),
            new Case("leader-election", "yes", "'true' or 'false'"),
            new Case("metrics.request-histograms", "1", "'true' or 'false'"),
            new Case("leader-election.on-lost", "exit", "'stop' or 'stand-by'"))) {
      properties.clear();
      properties.put("windlass." + each.name(), each.value());
      assertThatThrownBy(() -> builder().config(Config.empty()).build())
          .isInstanceOf(InvalidSettingException.class)
          .hasMessage(
              "the system property windlass.%s is '%s'; it must be %s"
                  .formatted(each.name(), each.value(), each.message()));
    }
    properties.clear();
    environment.put("WINDLASS_LEADER_ELECTION", "true");
    environment.put("WINDLASS_LEADER_ELECTION_NAME", "foo");
    environment.put("WINDLASS_LEADER_ELECTION_LEASE_DURATION", "10s");
    assertThatThrownBy(() -> builder().config(Config.empty()).build())
        .hasMessageStartingWith(
            "the settings windlass.leader-election.* can't be used: the lease duration 10 s must"
                + " be longer than the renew deadline 10 s");
    environment.put("WINDLASS_LEADER_ELECTION_LEASE_DURATION", "a while");
    assertThatThrownBy(() -> builder().config(Config.empty()).build())
        .hasMessageStartingWith(
            "the variable WINDLASS_LEADER_ELECTION_LEASE_DURATION is 'a while'; it must be");
  }

  /** Whoever starts the program knows the setting, and not the class that refuses its value. */
  @Test
  void namesTheSettingThatIsNoNamespaceOrAddress() {
    properties.put("windlass.namespace", "Bad NS");
    assertThatThrownBy(() -> builder().config(Config.empty()).build())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "the system property windlass.namespace can't be used: not the name of a namespace:"
                + " 'Bad NS'; it must consist of at most 63 lower case letters, digits and dashes");
    properties.clear();
    for (String each : List.of("nonsense url", "http://", "https://h:x", "ftp://h", "http:///a")) {
      environment.put("WINDLASS_MASTER", each);
      assertThatThrownBy(() -> builder().build())
          .isInstanceOf(InvalidSettingException.class)
          .hasMessage(
              "the variable WINDLASS_MASTER can't be used: '"
                  + each
                  + "' is not the address of an API server, such as 'https://10.0.0.1:6443'");
    }
    environment.clear();
    assertThatThrownBy(() -> builder().master("https://me:secret@h:x").build())
        .hasMessage(
            "'https://h:x' is not the address of an API server, such as 'https://10.0.0.1:6443'");
    for (String each : List.of("localhost:6443", "my_host:1", "https://[::1]:6443/under")) {
      assertThat(ClientConfig.address(each)).isEqualTo(each + "/");
    }
  }

  @Test
  void namesWhatIsMisspelt() {
    assertThat(
            MisspeltSettings.of(
                Set.of(
                    "WINDLASS_LEADER_ELECTON",
                    "WINDLASS_LEADER_ELECTION",
                    "WINDLASS_LOG_LEVEL",
                    "WINDLASS_LOG_LEVL",
                    "WINDLASS_COLOUR_OF_THE_SKY",
                    "windlass_master",
                    "PATH"),
                Set.of("windlass.stoptimeout", "windlass.stop-timeout", "user.dir")))
        .containsExactly(
            "The system property windlass.stoptimeout is not a Windlass setting and has no effect;"
                + " did you mean windlass.stop-timeout?",
            "The variable WINDLASS_COLOUR_OF_THE_SKY is not a Windlass setting and has no effect",
            "The variable WINDLASS_LEADER_ELECTON is not a Windlass setting and has no effect; did"
                + " you mean WINDLASS_LEADER_ELECTION?",
            "The variable WINDLASS_LOG_LEVL is not a Windlass setting and has no effect; did you"
                + " mean WINDLASS_LOG_LEVEL?");
  }

  private static String row(Setting setting) {
    return "| `%s` | `%s` | %s | %s |"
        .formatted(setting.property(), setting.variable(), setting.accepted(), setting.byDefault());
  }

  @Test
  void isDocumented() throws IOException {
    Path guide = Path.of("..", "docs", "guides", "leader-election.md");
    List<String> rows =
        Files.readAllLines(guide).stream().filter(line -> line.startsWith("| `windlass.")).toList();
    assertThat(rows)
        .isEqualTo(Stream.of(Setting.values()).map(EnvironmentSettingsTest::row).toList());
    assertThat(Optional.of(Setting.LEASE_NAME.variable()))
        .contains("WINDLASS_LEADER_ELECTION_NAME");
  }
}
