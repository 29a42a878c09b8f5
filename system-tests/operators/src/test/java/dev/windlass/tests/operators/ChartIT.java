// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart that a program writes, on a server that rejects mistakes. */
final class ChartIT {

  private static final String NAMESPACE = "tenant-system";

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir static Path folder;

  private static Path chart;
  private static Helm helm;
  private static Kubectl kubectl;

  /** As {@code --set} takes them, separated by blanks. */
  static Stream<String> values() {
    String metrics = "metrics.enabled=true";
    return Stream.of(
        "",
        metrics,
        metrics + " metrics.authentication=true metrics.serviceMonitor=true",
        metrics + " metrics.serviceMonitor=true",
        metrics + " metrics.podMonitor=true",
        metrics + " metrics.prometheusRule=true",
        "metrics.dashboard=true",
        "networkPolicy.enabled=true",
        "watchNamespace=default",
        "shards=12",
        "shards=100 replicas=4",
        "shards=1",
        "crds=false podDisruptionBudget=false runAsUser=65532 replicas=1",
        "image.tag=2 imagePullSecrets[0].name=registry args[0]=--workers=3 env[0].name=A"
            + " env[0].value=b nodeSelector.disk=fast tolerations[0].operator=Exists"
            + " priorityClassName=high podAnnotations.a=b volumes[0].name=data"
            + " volumes[0].emptyDir.medium=Memory volumeMounts[0].name=data"
            + " volumeMounts[0].mountPath=/data podLabels.team=blue"
            + " serviceAccount.annotations.role=r log.format=json topologyKeys=null",
        "serviceAccount.create=false serviceAccount.name=mine metrics.enabled=true"
            + " metrics.authentication=true image.digest=sha256:"
            + "0a".repeat(32),
        "networkPolicy.enabled=true networkPolicy.metricsFrom[0].podSelector.matchLabels.a=b"
            + " networkPolicy.egress[0].ports[0].port=5432 networkPolicy.apiServerPorts[0]=443"
            + " metrics.enabled=true metrics.podMonitor=true metrics.labels.release=main");
  }

  @BeforeAll
  static void writesAndPrepares() throws Exception {
    chart = folder.resolve("chart");
    InstalledProgram.write(
        InstalledProgram.jar("tenant", "tenant-operator"), "--write-helm=" + chart);
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

  @ParameterizedTest
  @MethodSource("values")
  void isAcceptedWithEachValue(String values) throws Exception {
    assertAccepted(
        helm.succeed(template(values.isEmpty() ? List.of() : List.of(values.split(" ")))));
  }

  @Test
  void rendersTheOptionalParts() throws Exception {
    String all =
        helm.succeed(
            template(
                List.of(
                    "metrics.enabled=true",
                    "metrics.serviceMonitor=true",
                    "metrics.prometheusRule=true",
                    "metrics.dashboard=true",
                    "networkPolicy.enabled=true")));
    assertThat(all)
        .contains("kind: ServiceMonitor", "name: tenant-operator-dashboard")
        .contains("- --metrics-bind-address=:8080\n")
        .contains("{{ $labels.name }}", "{namespace=\"tenant-system\", pod=~\"tenant-operator-")
        .as("the name service, also on OpenShift")
        .contains("port: 53\n", "port: 5353\n")
        .doesNotContain("scheme: https");
    assertThat(
            helm.succeed(
                template(
                    List.of(
                        "metrics.enabled=true",
                        "metrics.serviceMonitor=true",
                        "metrics.authentication=true"))))
        .contains("scheme: https", "insecureSkipVerify: true", "bearerTokenFile: ");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2, 0",
    "shards=0, 2, 0",
    "shards=1, 2, 0",
    "shards=2, 3, 4",
    "shards=12, 3, 24",
    "shards=12 replicas=4, 4, 24",
    "shards=12 replicas=0, 0, 24",
    "replicas=4, 4, 0",
  })
  void runsAsManyReplicasAsShardsNeed(String values, int replicas, int leases) throws Exception {
    String yaml = helm.succeed(template(values.isEmpty() ? List.of() : List.of(values.split(" "))));
    boolean divided = leases > 0;
    assertThat(yaml)
        .contains("  replicas: " + replicas + "\n")
        .satisfies(all -> assertThat(all.contains("maxUnavailable: 0\n")).isEqualTo(divided))
        .satisfies(all -> assertThat(all.contains("- watch\n")).isEqualTo(divided));
    assertThat(yaml.lines().map(String::strip))
        .filteredOn(line -> line.matches("- 27475f02.example.com(-member)?-\\d\\d-of-\\d\\d"))
        .doesNotHaveDuplicates()
        .hasSize(leases);
    int given = values.indexOf("shards=");
    assertThat(yaml.lines().map(String::strip))
        .filteredOn(line -> line.startsWith("- --shards="))
        .hasSize(given < 0 || values.equals("shards=0") ? 0 : 1)
        .allMatch(line -> line.equals("- --" + values.split(" ")[0]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replica=3",
        "replicas=two",
        "shards=two",
        "shards=101",
        "shards=-1",
        "shards=1.5",
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
