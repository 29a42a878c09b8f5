// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.Setting;
import dev.windlass.rbac.Verb;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The files that install a program, mostly read from install.yaml: ChartIT compares the chart. */
final class InstallationTest {

  private static final Program PROGRAM =
      Program.named("knots")
          .version("1.2")
          .role("knots-operator")
          .lease("knots-lease")
          .crds("crds/knots.yaml")
          .probes("127.0.0.1:9090");

  @TempDir private Path folder;

  /** Watches ConfigMaps, and reads Nodes. */
  @Command(description = "Ties \"knots\".")
  private static class Knots extends Operator {

    @Option(names = "--colour")
    private String colour = "";

    @Option(names = "--tight")
    private boolean tight;

    Knots() {
      super(PROGRAM);
    }

    @Override
    protected void configure(ManagerBuilder builder) {
      builder.stopTimeout(Duration.ofSeconds(50));
    }

    @Override
    protected void registerWith(Manager manager) {
      ControllerBuilder.forType(ConfigMap.class)
          .reconciler((request, context) -> Result.done())
          .register(manager);
      manager.uses(Node.class, Verb.GET);
      manager.eventRecorder("knots");
    }
  }

  /** Validates ConfigMaps as well. */
  private static class KnotsWithWebhooks extends Knots {

    @Mixin private final WebhookOptions webhooks = new WebhookOptions();

    @Override
    protected void registerWith(Manager manager) {
      super.registerWith(manager);
      webhooks
          .webhooks("knots-operator")
          .ifPresent(
              declared ->
                  declared
                      .validate(ConfigMap.class, request -> Verdict.allow())
                      .validate(Node.class, request -> Verdict.allow())
                      .register(manager));
    }
  }

  /** Divides its objects into 6 shards, unless it is told otherwise. */
  private static final class KnotsInShards extends Knots {
    @Override
    protected void configure(ManagerBuilder builder) {
      builder.shards(ShardOptions.of("knots-lease").withShards(6));
    }
  }

  /** Leaves its settings to the environment. */
  private static final class KnotsOfTheEnvironment extends KnotsWithWebhooks {
    @Override
    protected void configure(ManagerBuilder builder) {}
  }

  /** Registers webhooks with a Service of its own choice. */
  private static final class KnotsWithoutOptions extends Knots {
    @Override
    protected void registerWith(Manager manager) {
      Webhooks.forService("other")
          .inNamespace("here")
          .validate(Node.class, request -> Verdict.allow())
          .register(manager);
    }
  }

  /** Declares webhooks, and forgets to register them. */
  private static final class KnotsWithoutRegistration extends Knots {

    @Mixin private final WebhookOptions webhooks = new WebhookOptions();

    @Override
    protected void registerWith(Manager manager) {
      webhooks.webhooks("knots").map(b -> b.validate(Node.class, request -> Verdict.allow()));
    }
  }

  private Path write(Operator operator, String... arguments) {
    String[] all = Stream.concat(places(), Stream.of(arguments)).toArray(String[]::new);
    assertThat(operator.run(all)).isZero();
    return folder.resolve("install.yaml");
  }

  private Stream<String> places() {
    return Stream.of(
        "--write-helm=" + chart(""), "--write-manifests=" + folder.resolve("install.yaml"));
  }

  private Path chart(String file) {
    return folder.resolve("chart").resolve(file);
  }

  private static List<HasMetadata> read(Path file) {
    return Arrays.stream(text(file).split("(?m)^---$", -1))
        .skip(1) // the comment with the checksum
        .map(part -> (HasMetadata) Serialization.unmarshal(part, KubernetesResource.class))
        .toList();
  }

  private static <T extends HasMetadata> List<T> read(Path file, Class<T> type) {
    return read(file).stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T extends HasMetadata> T only(Path file, Class<T> type) {
    List<T> found = read(file, type);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Service only(Path file, String name) {
    return read(file, Service.class).stream()
        .filter(service -> service.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PodSpec pod(Path file) {
    Deployment deployment = only(file, Deployment.class);
    assertThat(deployment.getSpec().getSelector().getMatchLabels().entrySet())
        .isSubsetOf(deployment.getSpec().getTemplate().getMetadata().getLabels().entrySet());
    return deployment.getSpec().getTemplate().getSpec();
  }

  @Test
  void runsTheProgramAsTheRestrictedProfileAsks() {
    Path written = write(new Knots());
    PodSpec pod = pod(written);
    Container container = pod.getContainers().get(0);
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getRunAsUser()).as("OpenShift assigns it").isNull();
    assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(container.getVolumeMounts()).anyMatch(mount -> mount.getMountPath().equals("/tmp"));
    assertThat(only(written, Namespace.class).getMetadata())
        .satisfies(home -> assertThat(home.getName()).isEqualTo("knots-operator-system"))
        .satisfies(
            home ->
                assertThat(home.getLabels())
                    .containsEntry("pod-security.kubernetes.io/enforce", "restricted"));
  }

  @Test
  void waitsForTheStopOfTheManagerAndProbesWhereItListens() {
    Path written = write(new Knots());
    PodSpec pod = pod(written);
    Container container = pod.getContainers().get(0);
    assertThat(pod.getTerminationGracePeriodSeconds()).isEqualTo(65);
    assertThat(container.getArgs())
        .startsWith("--leader-elect", "--health-probe-bind-address=:9090")
        .contains("--metrics-bind-address=127.0.0.1:8080");
    assertThat(container.getPorts()).singleElement().extracting("containerPort").isEqualTo(9090);
    assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
    assertThat(List.of(container.getReadinessProbe(), container.getLivenessProbe()))
        .allMatch(probe -> probe.getTimeoutSeconds() == 5);
    assertThat(only(written, PodDisruptionBudget.class).getSpec())
        .satisfies(budget -> assertThat(budget.getMaxUnavailable().getIntVal()).isEqualTo(1));
    assertThat(container.getStartupProbe().getHttpGet().getPath()).isEqualTo("/livez");
    assertThat(read(written, Service.class)).isEmpty();
    assertThat(chart("templates/service.yaml")).doesNotExist();
    assertThat(chart("templates/objects.yaml")).doesNotExist();
  }

  /** As the kubelet probes: readiness at once when the start is over, and then in its period. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 1_500, 9_000})
  void isReadyWithin2SecondsOfItsCertificate(int untilCertificate) {
    Container container = pod(write(new KnotsWithWebhooks())).getContainers().get(0);
    int startup = 1_000 * container.getStartupProbe().getPeriodSeconds();
    int readiness = 1_000 * container.getReadinessProbe().getPeriodSeconds();
    for (int live = 0; live < 10_000; live += 70) {
      int certificate = live + untilCertificate;
      int asked = (live + startup - 1) / startup * startup;
      while (asked < certificate) {
        asked += readiness;
      }
      assertThat(asked - certificate).as("alive after %d ms", live).isLessThanOrEqualTo(2_000);
    }
  }

  /** The variables in the shell of a developer. */
  @Test
  void dependsOnTheProgramAlone() throws IOException {
    write(new KnotsOfTheEnvironment());
    Map<Path, String> expected = texts();
    Map<Setting, String> settings =
        Map.of(
            Setting.NAMESPACE, "here",
            Setting.LEADER_ELECTION, "true",
            Setting.LEASE_NAME, "mine",
            Setting.LEASE_NAMESPACE, "there",
            Setting.SHARDS, "7",
            Setting.STOP_TIMEOUT, "77s",
            Setting.METRICS_ADDRESS, ":7777",
            Setting.PROBE_ADDRESS, ":7778",
            Setting.METRICS_AUTHENTICATION, "true");
    Map<String, String> variables =
        Map.of(
            "WINDLASS_LEADER_ELECTION", "false",
            "WINDLASS_SHARDS", "7",
            "WINDLASS_METRICS_BIND_ADDRESS", ":7777",
            "WINDLASS_HEALTH_BIND_ADDRESS", "0",
            "WINDLASS_LOG_LEVEL", "DEBUG");
    settings.forEach((setting, value) -> System.setProperty(setting.property(), value));
    try {
      CommandLine line = new KnotsOfTheEnvironment().commandLine();
      line.setDefaultValueProvider(new Settings.VariableDefaults(variables::get, null));
      assertThat(line.execute(places().toArray(String[]::new))).isZero();
    } finally {
      settings.keySet().forEach(setting -> System.clearProperty(setting.property()));
    }
    assertThat(texts()).containsExactlyInAnyOrderEntriesOf(expected);
  }

  private Map<Path, String> texts() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .collect(Collectors.toMap(file -> file, InstallationTest::text));
    }
  }

  @Test
  void passesTheOptionsOfTheProgramOn() {
    List<String> arguments =
        pod(write(new Knots(), "--colour", "blue {{ \"green\" }}", "--tight"))
            .getContainers()
            .get(0)
            .getArgs();
    assertThat(arguments)
        .endsWith("--colour=blue {{ \"green\" }}", "--tight")
        .contains("--log-level=INFO")
        .noneMatch(argument -> argument.startsWith("--write"));
    assertThat(text(chart("templates/deployment.yaml")))
        .as("braces that are none of Helm's")
        .contains("- \"--colour=blue {{ \"{{\" }} \\\"green\\\" }}\"\n");
  }

  /** No option is dropped: these determine values of the chart, and the rest are arguments. */
  @Test
  void putsTheOptionsOfAllProgramsIntoItsValues() {
    Path written =
        write(
            new KnotsWithWebhooks(),
            "--log-level=DEBUG",
            "--log-format=json",
            "--metrics-bind-address=:9091",
            "--health-probe-bind-address=:9999",
            "--leader-election-namespace=leases",
            "--webhook-bind-address=:7443",
            "--namespace=shop");
    Container container = pod(written).getContainers().get(0);
    assertThat(container.getArgs())
        .containsExactly(
            "--leader-elect",
            "--health-probe-bind-address=:9999",
            "--metrics-bind-address=:9091",
            "--log-level=DEBUG",
            "--log-format=json",
            "--webhook-service=knots-operator",
            "--namespace=shop",
            "--leader-election-namespace=leases",
            "--webhook-bind-address=:7443");
    assertThat(container.getPorts())
        .extracting(port -> port.getName() + " " + port.getContainerPort())
        .containsExactly("probes 9999", "webhooks 7443", "metrics 9091");
    assertThat(read(written, Role.class))
        .filteredOn(role -> resources(role.getRules()).contains("leases"))
        .singleElement()
        .satisfies(role -> assertThat(role.getMetadata().getNamespace()).isEqualTo("leases"));
    assertThat(read(written, Lease.class)).isEmpty();
    assertThat(only(written, "knots-operator-metrics").getSpec().getPorts())
        .singleElement()
        .satisfies(port -> assertThat(port.getPort()).isEqualTo(9091));
    assertThat(chart("templates/lease.yaml")).doesNotExist();
    assertThat(text(chart("values.yaml")))
        .contains("level: DEBUG", "format: json", "watchNamespace: \"shop\"", "enabled: true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kubeconfig=config",
        "--master=https://a",
        "--install-crds",
        "--leader-elect=false",
        "--print-rbac",
        "--print-manifests",
        "--metrics-bind-address=0",
        "--metrics-bind-address=10.0.0.1:8080",
        "--health-probe-bind-address=0",
        "--health-probe-bind-address=127.0.0.1:8081",
        "--webhook-bind-address=:0",
        "--webhook-url=https://a",
        "--webhook-service=other",
        "--webhook-namespace=other",
      })
  void rejectsAnOptionThatContradictsAnInstallation(String option) {
    assertThat(error(new KnotsWithWebhooks(), 2, "--write-helm=" + folder, option))
        .contains(option.split("=")[0], "cannot be part of an installation");
  }

  @Test
  void rejectsOptionsWithoutEffect() {
    assertThat(error(new Knots(), 2, "--write-image=a:1"))
        .contains("--write-image requires --write-helm or --write-manifests");
    assertThat(error(new Knots(), 2, "--write-helm=" + folder, "--write-namespace=a"))
        .contains("--write-namespace requires --write-manifests");
  }

  /** Returns the only line that a program prints about an error. */
  private static String error(Operator operator, int code, String... arguments) {
    StringWriter errors = new StringWriter();
    CommandLine line = operator.commandLine().setErr(new PrintWriter(errors, true));
    assertThat(line.execute(arguments)).isEqualTo(code);
    assertThat(errors.toString().lines()).hasSize(code == 2 ? 1 : 0);
    return errors.toString();
  }

  @Test
  void writesNoChartThatLacksTheProgramsWebhooks() {
    error(new KnotsWithoutOptions(), 1, "--write-helm=" + chart(""));
    error(new KnotsWithoutRegistration(), 1, "--write-helm=" + chart(""));
    assertThat(chart("")).doesNotExist();
  }

  @Test
  void grantsTheClusterWhatTheProgramWatches() {
    Path written = write(new Knots(), "--write-namespace=here");
    ClusterRole wide = only(written, ClusterRole.class);
    assertThat(wide.getMetadata().getName()).isEqualTo("here-knots-operator");
    assertThat(resources(wide.getRules())).containsExactly("configmaps", "events", "nodes");
    Role own = only(written, Role.class);
    assertThat(own.getMetadata().getNamespace()).isEqualTo("here");
    assertThat(resources(own.getRules())).containsExactly("leases");
    ClusterRoleBinding binding = only(written, ClusterRoleBinding.class);
    assertThat(binding.getRoleRef().getName()).isEqualTo("here-knots-operator");
    assertThat(binding.getSubjects())
        .singleElement()
        .satisfies(subject -> assertThat(subject.getNamespace()).isEqualTo("here"))
        .satisfies(subject -> assertThat(subject.getName()).isEqualTo("knots-operator"));
  }

  /** Events of cluster-scoped objects are in the namespace {@code default}. */
  @Test
  void grantsNoMoreThanOneNamespaceIfItWatchesOne() {
    Path written = write(new Knots(), "--write-namespace=default", "--namespace=default");
    assertThat(resources(only(written, ClusterRole.class).getRules())).containsExactly("nodes");
    List<Role> roles = read(written, Role.class);
    assertThat(roles)
        .allMatch(role -> role.getMetadata().getNamespace().equals("default"))
        .extracting(role -> resources(role.getRules()))
        .containsExactlyInAnyOrder(
            List.of("leases"), List.of("configmaps", "events"), List.of("events"));
    assertThat(roles).extracting(role -> role.getMetadata().getName()).doesNotHaveDuplicates();
    assertThat(pod(written).getContainers().get(0).getArgs()).contains("--namespace=default");
  }

  private static List<String> resources(List<PolicyRule> rules) {
    return rules.stream()
        .flatMap(rule -> rule.getResources().stream())
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void servesItsWebhooksBehindItsService() {
    Path written = write(new KnotsWithWebhooks(), "--write-namespace=here");
    Container container = pod(written).getContainers().get(0);
    assertThat(container.getArgs()).contains("--webhook-service=knots-operator");
    assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz/webhooks");
    assertThat(container.getPorts())
        .anyMatch(port -> port.getName().equals("webhooks") && port.getContainerPort() == 9443);
    assertThat(only(written, Service.class).getMetadata().getName()).isEqualTo("knots-operator");
    var configuration = only(written, ValidatingWebhookConfiguration.class);
    assertThat(configuration.getWebhooks())
        .allMatch(webhook -> webhook.getNamespaceSelector().equals(new LabelSelector()));
    assertThat(configuration.getMetadata().getLabels())
        .containsEntry("app.kubernetes.io/instance", "knots-operator")
        .containsEntry("app.kubernetes.io/version", "1.2")
        .doesNotContainKey("helm.sh/chart"); // Helm has not installed it
    assertThat(configuration.getMetadata().getName()).isEqualTo("here-knots-operator");
    assertThat(configuration.getWebhooks().get(0).getClientConfig().getService().getNamespace())
        .isEqualTo("here");
    assertThat(only(written, ClusterRole.class).getRules())
        .filteredOn(rule -> rule.getResources().contains("validatingwebhookconfigurations"))
        .singleElement()
        .satisfies(rule -> assertThat(rule.getVerbs()).doesNotContain("create", "delete"))
        .satisfies(
            rule -> assertThat(rule.getResourceNames()).containsExactly("here-knots-operator"));
  }

  /** An installation in another namespace decides about the other objects. */
  @Test
  void limitsItsWebhooksToTheNamespaceThatItWatches() {
    Path written = write(new KnotsWithWebhooks(), "--namespace=shop");
    var configuration = only(written, ValidatingWebhookConfiguration.class);
    assertThat(configuration.getWebhooks())
        .extracting(webhook -> webhook.getNamespaceSelector().getMatchExpressions())
        .containsExactly(
            List.of(
                new LabelSelectorRequirement("kubernetes.io/metadata.name", "In", List.of("shop"))),
            List.of()); // Nodes have no namespace
    assertThat(text(chart("templates/objects.yaml"))).contains("{{ .Values.watchNamespace }}");
  }

  /** An uninstallation removes them with the other objects. */
  @Test
  void ownsTheLeaseAndTheSecretThatTheProgramFills() {
    Path written = write(new KnotsWithWebhooks());
    assertThat(only(written, Lease.class))
        .satisfies(lease -> assertThat(lease.getMetadata().getName()).isEqualTo("knots-lease"))
        .satisfies(lease -> assertThat(lease.getSpec()).isNull());
    Secret secret = only(written, Secret.class);
    assertThat(secret.getMetadata().getName()).isEqualTo("knots-operator-webhook-certificates");
    assertThat(secret.getMetadata().getLabels())
        .containsEntry("webhook.windlass.dev/certificates", "v1");
    assertThat(secret.getData()).isNullOrEmpty();
  }

  @Test
  void keepsAllShardsAtWork() {
    Path written = write(new Knots(), "--shards=12", "--tight");
    assertThat(pod(written).getContainers().get(0).getArgs()).endsWith("--shards=12", "--tight");
    assertThat(text(chart("values.yaml"))).contains("shards: 12\n");
    assertThat(text(chart("templates/deployment.yaml"))).doesNotContain("--shards=12");
    assertThat(only(written, Deployment.class).getSpec())
        .satisfies(spec -> assertThat(spec.getReplicas()).isEqualTo(3))
        .extracting(spec -> spec.getStrategy().getRollingUpdate())
        .satisfies(update -> assertThat(update.getMaxUnavailable().getIntVal()).isZero())
        .satisfies(update -> assertThat(update.getMaxSurge().getIntVal()).isEqualTo(1));
    assertThat(only(written, PodDisruptionBudget.class).getSpec().getMaxUnavailable().getIntVal())
        .isEqualTo(1);
    assertThat(read(written, Lease.class))
        .as("an upgrade must not delete the Lease that a replica with another number holds")
        .extracting(lease -> lease.getMetadata().getName())
        .containsExactly("knots-lease");
  }

  /** All rights that the program declares, and those on the Lease of one leader. */
  @ParameterizedTest
  @CsvSource({"1, here", "2, here", "12, here", "100, here", "12, leases"})
  void grantsEachLeaseByItsName(int shards, String namespace) {
    List<String> options = new ArrayList<>(List.of("--shards=" + shards));
    if (!namespace.equals("here")) {
      options.add("--leader-election-namespace=" + namespace);
    }
    Path written = folder.resolve("install.yaml");
    Stream<String> places = Stream.of("--write-manifests=" + written, "--write-namespace=here");
    assertThat(new Knots().run(Stream.concat(places, options.stream()).toArray(String[]::new)))
        .isZero();
    List<Role> roles =
        read(written, Role.class).stream()
            .filter(role -> role.getMetadata().getNamespace().equals(namespace))
            .toList();
    assertThat(roles).extracting(role -> role.getMetadata().getName()).doesNotHaveDuplicates();
    Set<String> expected = permissions(declared(shards, namespace));
    expected.add("get [leases] knots-lease");
    expected.add("update [leases] knots-lease");
    if (shards > 1) { // declared by a ClusterRole, unless the program watches one namespace only
      expected.addAll(List.of("create [events] any", "patch [events] any"));
    }
    assertThat(permissions(roles)).isEqualTo(expected);
    for (Role role : roles) {
      assertThat(role.getRules()).noneMatch(rule -> rule.getResourceNames().contains(""));
      assertThat(read(written, RoleBinding.class))
          .filteredOn(binding -> binding.getMetadata().getNamespace().equals(namespace))
          .filteredOn(
              binding -> binding.getRoleRef().getName().equals(role.getMetadata().getName()))
          .singleElement()
          .extracting(binding -> binding.getSubjects().get(0))
          .satisfies(account -> assertThat(account.getName()).isEqualTo("knots-operator"))
          .satisfies(account -> assertThat(account.getNamespace()).isEqualTo("here"));
    }
  }

  private static List<Role> declared(int shards, String namespace) {
    StringWriter printed = new StringWriter();
    CommandLine line = new Knots().commandLine().setOut(new PrintWriter(printed));
    assertThat(
            line.execute(
                "--print-rbac",
                "--leader-elect",
                "--leader-election-namespace=" + namespace,
                "--shards=" + shards))
        .isZero();
    return Arrays.stream(printed.toString().split("(?m)^---$", -1))
        .filter(part -> part.contains("kind: \"Role\""))
        .map(part -> Serialization.unmarshal(part, Role.class))
        .toList();
  }

  /** Each verb with its resource and the name to which it is limited, if any. */
  private static Set<String> permissions(List<Role> roles) {
    Set<String> all = new TreeSet<>();
    for (Role role : roles) {
      for (PolicyRule rule : role.getRules()) {
        List<String> names = rule.getResourceNames();
        for (String verb : rule.getVerbs()) {
          (names.isEmpty() ? List.of("any") : names)
              .forEach(name -> all.add("%s %s %s".formatted(verb, rule.getResources(), name)));
        }
      }
    }
    return all;
  }

  @Test
  void takesTheNumberOfShardsOfTheProgramOrTheUser() {
    Path written = write(new KnotsInShards());
    assertThat(pod(written).getContainers().get(0).getArgs())
        .noneMatch(argument -> argument.startsWith("--shards"));
    assertThat(only(written, Deployment.class).getSpec().getReplicas()).isEqualTo(3);
    assertThat(text(written)).contains("- knots-lease-member-06-of-06\n").doesNotContain("-of-12");
    assertThat(text(chart("values.yaml"))).contains("shards: 0\n");
    assertThat(text(chart("templates/shards.yaml"))).contains(".Values.shards | default 6");

    Path one = write(new KnotsInShards(), "--shards=1");
    assertThat(pod(one).getContainers().get(0).getArgs()).endsWith("--shards=1");
    assertThat(only(one, Deployment.class).getSpec().getReplicas()).isEqualTo(2);
    assertThat(text(one)).doesNotContain("-of-06");
  }

  /** A deletion of a CRD would delete the objects of its type. */
  @Test
  void keepsTheCrdsOnTheClassPath() {
    Path written = write(new Knots());
    assertThat(read(written, CustomResourceDefinition.class))
        .extracting(crd -> crd.getMetadata().getName())
        .contains("knots.example.com", "ropes.example.com");
    assertThat(read(written))
        .as("the label of what `kubectl delete -f install.yaml -l app=...` deletes")
        .allSatisfy(
            object ->
                assertThat(object.getMetadata().getLabels().containsKey("app"))
                    .isEqualTo(
                        !Set.of("Namespace", "CustomResourceDefinition")
                            .contains(object.getKind())));
    assertThat(text(chart("templates/crds.yaml")))
        .contains("helm.sh/resource-policy: \"keep\"", "app.kubernetes.io/name: ");
  }

  /** The resource file of the Deployment repeats them for install.yaml. */
  @Test
  void hasTheDefaultsOfTheChart() {
    Path written = write(new Knots());
    JsonNode values = Serialization.unmarshal(text(chart("values.yaml")), JsonNode.class);
    Deployment deployment = only(written, Deployment.class);
    Container container = pod(written).getContainers().get(0);
    assertThat(values.at("/replicas").isNull()).isTrue();
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(2);
    assertThat(deployment.getSpec().getStrategy()).as("that of the server").isNull();
    assertThat(Serialization.asJson(container.getResources()))
        .isEqualTo(
            Serialization.asJson(
                Serialization.unmarshal(
                    values.at("/resources").toString(), ResourceRequirements.class)));
    assertThat(container.getEnv())
        .singleElement()
        .satisfies(
            options ->
                assertThat(options.getValue())
                    .isEqualTo(values.at("/javaToolOptions").textValue()));
    assertThat(text(written)).doesNotContain("{{", "@").contains("type: RuntimeDefault");
  }

  @Test
  void namesItsImageAndItsVersionInTheForms() {
    Path written = write(new Knots());
    assertThat(pod(written).getContainers().get(0).getImage()).isEqualTo("knots-operator:1.2");
    assertThat(text(chart("Chart.yaml")))
        .contains("name: knots-operator", "version: 1.2.0", "appVersion: \"1.2\"")
        .contains("description: \"Ties \\\"knots\\\".\"");
    String digest = "@sha256:" + "0a".repeat(32);
    for (String image : List.of("localhost:5000/knots:7", "a.b/knots:7" + digest, "knots:7")) {
      write(new Knots(), "--write-image=" + image);
      assertThat(pod(written).getContainers().get(0).getImage())
          .isEqualTo(image.contains("@") ? image.replace(":7", "") : image);
    }
    write(new Knots(), "--write-image=localhost:5000/knots");
    assertThat(pod(written).getContainers().get(0).getImage())
        .isEqualTo("localhost:5000/knots:1.2");
  }

  @ParameterizedTest
  @CsvSource({
    "--write-image=knots 1, is not the name of an image",
    "--write-image=a@sha256:00, is not the name of an image",
    "--write-image=:7, is not the name of an image",
    "--write-image=, is not the name of an image",
  })
  void rejectsAWrongValueInOneLine(String argument, String message) {
    assertThat(error(new KnotsWithWebhooks(), 2, "--write-helm=" + folder, argument))
        .contains(message);
  }
}
