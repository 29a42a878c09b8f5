// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Manifests;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, with the files that it writes, under the ServiceAccount that these make. */
final class HelloOperatorIT {

  private static final String USER = "system:serviceaccount:hello-system:hello-operator";

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4}";

  @RegisterExtension
  final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  @TempDir private Path folder;
  @AutoClose private KubernetesClient admin;

  @BeforeEach
  void connects() {
    admin = kubernetes.server().newClient();
  }

  /** The files as the program writes them, no refusal, and the columns of the log. */
  @ParameterizedTest
  @ValueSource(strings = {"requeue", "owns"})
  void runsUnderExactlyTheShippedRole(String variant) throws Exception {
    Manifests.write(new HelloOperator(), folder, "hello-system", "--variant=" + variant)
        .forEach(object -> admin.resource(object).serverSideApply());
    Path kubeconfig =
        Files.writeString(folder.resolve("kubeconfig"), kubernetes.server().kubeconfigFor(USER));

    try (JavaProcess operator =
        JavaProcess.start(
            HelloOperator.class,
            "--kubeconfig=" + kubeconfig,
            "--metrics-bind-address=0",
            "--variant=" + variant)) {
      operator.awaitLine("Started workers");
      admin.resource(HelloArtifacts.sample("default")).create();
      awaitPhase("Running");
      Pods.end(admin, "default", "hello-sample", HelloPhase.FAILED);
      operator.awaitLine("\"Phase\": \"Failed\"");
      awaitPhase("Running");
      Pods.end(admin, "default", "hello-sample", HelloPhase.SUCCEEDED);
      operator.awaitLine("Done");
      operator.terminate();
      assertThat(operator.awaitExit()).isZero();
      assertThat(operator.lines())
          .noneMatch(line -> line.contains("lacks the permission"))
          .anyMatch(
              line ->
                  line.matches(
                      TIME
                          + "\tINFO\tcontrollers.Hello\tReceived request\t"
                          + "\\{\"hello\": \"default/hello-sample\", \"Namespace\": \"default\","
                          + " \"Name\": \"hello-sample\"}"))
          .anyMatch(
              line ->
                  line.matches(
                      TIME
                          + "\tDEBUG\tdev.windlass.controller.Controller\tSuccessfully Reconciled\t"
                          + "\\{\"controller\": \"hello\","
                          + " \"request\": \"default/hello-sample\"}"));
    }
    assertThat(kubernetes.server().auditEvents().stream().filter(e -> e.user().equals(USER)))
        .isNotEmpty()
        .extracting(AuditEvent::code)
        .doesNotContain(403);
  }

  private void awaitPhase(String phase) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                phase.equals(
                        admin
                            .resources(Hello.class)
                            .inNamespace("default")
                            .withName("hello-sample")
                            .require()
                            .getStatus()
                            .getPhase())
                    && Pods.get(admin, "default", "hello-sample") != null);
  }
}
