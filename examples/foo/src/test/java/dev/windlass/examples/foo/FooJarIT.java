// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The one jar that users start, on a server that knows nothing of Foos. */
final class FooJarIT {

  private static final Path JAR = Path.of("target", "foo-operator.jar");

  private static final Pattern PROBES = Pattern.compile("/readyz on 127\\.0\\.0\\.1:(\\d+)");
  private static final Pattern METRICS =
      Pattern.compile("/metrics and \\S+ on 127\\.0\\.0\\.1:(\\d+)");

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @TempDir private Path folder;

  @AfterEach
  void removesTheCrd() {
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      FooArtifacts.uninstall(kubectl);
    }
  }

  private JavaProcess start(String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.server().kubeconfig());
    List<String> arguments = new ArrayList<>(List.of("--kubeconfig=" + file, "--install-crds"));
    arguments.addAll(List.of(more));
    return JavaProcess.startJar(JAR, arguments.toArray(new String[0]));
  }

  private static Page get(JavaProcess operator, Pattern port, String path) {
    Matcher found = port.matcher(String.join("\n", operator.lines()));
    assertThat(found.find()).as("%s in %s", port, operator.lines()).isTrue();
    return Page.get(Integer.parseInt(found.group(1)), path);
  }

  private static CustomResourceDefinition crd(KubernetesClient kubectl) {
    return kubectl
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("foos.samplecontroller.k8s.io")
        .require();
  }

  @Test
  void installsItsCrdServesWhatItIsToldToAndLogsForMachines() throws Exception {
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        JavaProcess operator =
            start(
                "--log-format=json",
                "--workers=3",
                "--metrics-bind-address=127.0.0.1:0",
                "--health-probe-bind-address=127.0.0.1:0")) {
      operator.awaitLine("The manager has started.");
      kubectl.resource(FooArtifacts.exampleFoo("default")).create();
      operator.awaitLine("Successfully synced 'default\\/example-foo'");

      eventually()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(get(operator, PROBES, "/readyz").code()).isEqualTo(200));
      assertThat(get(operator, METRICS, "/metrics").body())
          .containsPattern(
              "controller_runtime_reconcile_total\\{.*controller=\"foo\".*result=\"success\"")
          .containsPattern("controller_runtime_max_concurrent_reconciles\\{.*} 3(\\.0)?");

      operator.terminate();
      assertThat(operator.awaitExit()).isZero();
      ObjectMapper json = new ObjectMapper();
      for (String line : operator.lines()) {
        JsonNode fields = json.readTree(line);
        assertThat(fields.hasNonNull("formattedMessage")).as(line).isTrue();
      }
      assertThat(operator.lines().stream().takeWhile(line -> !line.contains("has started")))
          .as("what is said until it has started")
          .hasSizeLessThanOrEqualTo(10);
    }
  }

  /** Twice the same leaves the CRD as it is. */
  @Test
  void changesNothingWhenItIsStartedAgainAndLogsForPeople() throws Exception {
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      List<String> versions = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        try (JavaProcess operator = start()) {
          operator.awaitLine("Started workers");
          versions.add(crd(kubectl).getMetadata().getResourceVersion());
          operator.terminate();
          assertThat(operator.awaitExit()).isZero();
          assertThat(operator.lines())
              .allMatch(
                  line ->
                      line.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}[+-]\\d{4}\t[A-Z]+\t\\S+\t.+"))
              .anyMatch(
                  line ->
                      line.endsWith(
                          "\tINFO\tdev.windlass.crd.CrdInstallation\tThe CRD foos.samplecontroller.k8s.io is installed"));
        }
      }
      assertThat(versions.get(1)).isEqualTo(versions.get(0));
    }
  }
}
