// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart and the kustomize folder that a program writes, on a server that rejects mistakes. */
final class ChartIT {

  private static final String NAMESPACE = "tenant-system";

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir static Path folder;

  private static Path chart;
  private static Helm helm;
  private static Kubectl kubectl;

  /**
   * Values of the chart, and the components that do the same.
   *
   * @param values as {@code --set} takes them
   */
  record Case(List<String> values, List<String> components) {

    static Case of(String values, String... components) {
      return new Case(
          values.isEmpty() ? List.of() : List.of(values.split(" ")), List.of(components));
    }

    @Override
    public String toString() {
      return values.toString();
    }
  }

  static Stream<Case> switches() {
    String metrics = "metrics.enabled=true";
    return Stream.of(
        Case.of(""),
        Case.of(metrics, "metrics"),
        Case.of(
            metrics + " metrics.authentication=true metrics.serviceMonitor=true",
            "metrics",
            "metrics-authentication",
            "service-monitor-authenticated"),
        Case.of(metrics + " metrics.serviceMonitor=true", "metrics", "service-monitor"),
        Case.of(metrics + " metrics.podMonitor=true", "metrics", "pod-monitor"),
        Case.of(metrics + " metrics.prometheusRule=true", "metrics", "prometheus-rule"),
        Case.of("metrics.dashboard=true", "dashboard"),
        Case.of("networkPolicy.enabled=true", "network-policy"));
  }

  /** What kustomize has no component for. */
  static Stream<Case> otherValues() {
    return Stream.of(
        Case.of("watchNamespace=default"),
        Case.of("crds=false podDisruptionBudget=false runAsUser=65532 replicas=1"),
        Case.of(
            "image.tag=2 imagePullSecrets[0].name=registry args[0]=--workers=3 env[0].name=A"
                + " env[0].value=b nodeSelector.disk=fast tolerations[0].operator=Exists"
                + " priorityClassName=high podAnnotations.a=b"
                + " volumes[0].name=data volumes[0].emptyDir.medium=Memory"
                + " volumeMounts[0].name=data volumeMounts[0].mountPath=/data"
                + " podLabels.team=blue serviceAccount.annotations.role=r log.format=json topologyKeys=null"),
        Case.of(
            "serviceAccount.create=false serviceAccount.name=mine metrics.enabled=true"
                + " metrics.authentication=true image.digest=sha256:"
                + "0a".repeat(32)),
        Case.of(
            "networkPolicy.enabled=true networkPolicy.metricsFrom[0].podSelector.matchLabels.a=b"
                + " networkPolicy.egress[0].ports[0].port=5432 networkPolicy.apiServerPorts[0]=443"
                + " metrics.enabled=true metrics.podMonitor=true metrics.labels.release=main"));
  }

  @BeforeAll
  static void writesAndPrepares() throws Exception {
    chart = folder.resolve("chart");
    InstalledProgram.write(
        InstalledProgram.jar("tenant", "tenant-operator"),
        "--write-helm=" + chart,
        "--write-kustomize=" + folder.resolve("kustomize"),
        "--write-namespace=" + NAMESPACE);
    helm = Helm.on(KUBERNETES.server(), folder);
    kubectl = Kubectl.on(KUBERNETES.server(), folder);
    kubectl.applyCrd("src/test/resources/monitoring-crds.yaml");
    Path namespace = folder.resolve("namespace.yaml");
    Files.writeString(
        namespace,
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: %s
          labels:
            pod-security.kubernetes.io/enforce: restricted
            pod-security.kubernetes.io/warn: restricted
        """
            .formatted(NAMESPACE));
    assertThat(kubectl.run("apply", "-f", namespace.toString()).exit()).isZero();
  }

  private static List<String> template(List<String> values) {
    List<String> command =
        new ArrayList<>(
            List.of("template", "tenant-operator", chart.toString(), "--namespace", NAMESPACE));
    values.forEach(value -> command.addAll(List.of("--set", value)));
    return command;
  }

  private static void assertAccepted(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("rendered.yaml"), yaml);
    Kubectl.Output applied =
        kubectl.run("apply", "--server-side", "--dry-run=server", "-f", file.toString());
    assertThat(applied.exit()).as(applied.text()).isZero();
    assertThat(applied.lines())
        .as("no warning, of the Pod Security admission or of a deprecation")
        .allMatch(line -> line.endsWith(" serverside-applied (server dry run)"))
        .anyMatch(line -> line.startsWith("deployment.apps/"));
  }

  /** The objects in a text, by what identifies them. */
  private static Map<String, Object> objects(String yaml) {
    Map<String, Object> objects = new TreeMap<>();
    String numbers =
        yaml.replaceAll("(?m): (\\d+)\\.0$", ": $1") // as kustomize writes them
            .replaceAll("(?m)^ *helm\\.sh/chart: .*\\R", ""); // only Helm installs a chart
    Arrays.stream(numbers.split("(?m)^---$"))
        .filter(part -> !part.replaceAll("(?m)^#.*$", "").isBlank())
        .map(part -> (Map<?, ?>) Serialization.unmarshal(part, Map.class))
        .forEach(
            object -> {
              Map<?, ?> metadata = (Map<?, ?>) object.get("metadata");
              objects.put(
                  object.get("kind") + " " + metadata.get("namespace") + "/" + metadata.get("name"),
                  object);
            });
    return objects;
  }

  @ParameterizedTest
  @MethodSource("switches")
  void areTheSameAndAcceptedWithEachSwitch(Case one) throws Exception {
    String yaml = helm.succeed(template(one.values()));
    assertAccepted(yaml);

    Path overlay = Files.createDirectories(folder.resolve("overlay"));
    List<String> lines = new ArrayList<>(List.of("resources:", "- ../kustomize", "components:"));
    one.components().forEach(name -> lines.add("- ../kustomize/components/" + name));
    Files.write(
        overlay.resolve("kustomization.yaml"),
        one.components().isEmpty() ? lines.subList(0, 2) : lines);
    Kubectl.Output built = kubectl.run("kustomize", overlay.toString());
    assertThat(built.exit()).as(built.text()).isZero();
    Map<String, Object> objects = objects(built.text());
    assertThat(objects.remove("Namespace null/" + NAMESPACE)).isNotNull();
    assertThat(objects).containsExactlyEntriesOf(objects(yaml));
  }

  @ParameterizedTest
  @MethodSource("otherValues")
  void isAcceptedWithOtherValues(Case one) throws Exception {
    assertAccepted(helm.succeed(template(one.values())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replica=3",
        "replicas=two",
        "watchNamespace=No_Name",
        "metrics.podMonitor=true",
        "metrics.prometheusRule=true",
        "log.level=loud",
        "image.digest=0a",
        "runAsUser=0",
        "networkPolicy.apiServerPorts[0]=70000",
      })
  void rejectsAWrongValue(String value) throws Exception {
    Helm.Result result = helm.run(template(List.of(value)));
    assertThat(result.exit()).as(result.text()).isNotZero();
    assertThat(result.text()).contains("values don't meet the specifications of the schema");
  }

  /** The server warns about a Deployment, but rejects a Pod. */
  @Test
  void makesPodsThatTheRestrictedLevelAdmits() throws Exception {
    String yaml =
        Arrays.stream(helm.succeed(template(List.of())).split("(?m)^---$"))
            .filter(part -> part.contains("kind: Deployment\n"))
            .findFirst()
            .orElseThrow();
    Deployment deployment = Serialization.unmarshal(yaml, Deployment.class);
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("one")
            .withNamespace(NAMESPACE)
            .endMetadata()
            .withSpec(deployment.getSpec().getTemplate().getSpec())
            .build();
    try (KubernetesClient client = KUBERNETES.server().newClient()) {
      assertThat(client.resource(pod).dryRun().create().getSpec().getContainers()).hasSize(1);
    }
  }
}
