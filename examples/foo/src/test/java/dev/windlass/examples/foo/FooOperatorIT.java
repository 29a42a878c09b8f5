// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Access;
import dev.windlass.cli.testsupport.Manifests;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The program itself: what it prints, how it ends, and what it says when something is missing. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FooOperatorIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir private Path folder;
  @AutoClose private KubernetesClient kubectl;

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
  }

  private JavaProcess start(String kubeconfig) throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
    return JavaProcess.start(FooOperator.class, "--kubeconfig", file.toString());
  }

  @AfterEach
  void deletesWhatIsThere() {
    kubectl.resources(Foo.class).inNamespace("default").delete();
    kubectl.apps().deployments().inNamespace("default").delete();
    kubectl.v1().events().inNamespace("default").delete();
  }

  private void createExample() {
    kubectl.resource(FooArtifacts.exampleFoo("default")).create();
  }

  private void awaitDeployment() {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                kubectl.apps().deployments().inNamespace("default").withName("example-foo").get()
                    != null);
  }

  /** The lines in their order, and exit code 0. */
  @Test
  void saysWhatItDoesAndEndsInOrder() throws Exception {
    kubernetes.server().install(FooArtifacts.crd());
    try (JavaProcess operator = start(kubernetes.server().kubeconfig())) {
      operator.awaitLine("Started workers");
      createExample();
      operator.awaitLine("Successfully synced 'default/example-foo'");

      operator.terminate();

      assertThat(operator.awaitExit()).isZero();
      List<String> said =
          operator.lines().stream().map(line -> line.split("	", -1)[3]).distinct().toList();
      assertThat(said)
          .containsSubsequence(
              "Setting up event handlers",
              "Starting Foo controller",
              "Waiting for informer caches to sync",
              "Starting workers",
              "Started workers",
              "Successfully synced 'default/example-foo'",
              "Shutting down workers");
      assertThat(said.get(said.size() - 1))
          .startsWith("The manager stopped after ")
          .endsWith(": SIGTERM received");
    }
  }

  /** One sentence that names the file, and exit code 1. */
  @Test
  void refusesAKubeconfigThatItCantRead() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage"), "{ this: [is no kubeconfig");
    for (String file : List.of(garbage.toString(), folder.resolve("absent").toString())) {
      try (JavaProcess operator = JavaProcess.start(FooOperator.class, "--kubeconfig", file)) {
        assertThat(operator.awaitExit()).isEqualTo(2);
        assertThat(operator.lines()).hasSize(1);
        assertThat(operator.lines().get(0)).contains("Error building kubeconfig: ").contains(file);
      }
    }
  }

  @Test
  void namesAServerThatItCantReach() throws Exception {
    kubernetes.server().install(FooArtifacts.crd());
    kubernetes.server().killApiServer();
    try (JavaProcess operator = start(kubernetes.server().kubeconfig())) {
      operator.awaitLine(
          "Can't list foos.samplecontroller.k8s.io in all namespaces at "
              + kubernetes.clientConfig().getMasterUrl());
      operator.awaitLine(
          "Check that the server's address is correct and that the server is running.");
      assertThat(operator.lines()).filteredOn(l -> l.contains("Can't list foos")).hasSize(1);

      kubernetes.server().startApiServer();

      operator.awaitLine("Started workers");
    }
  }

  /** First, since the other tests install the CRD. */
  @Test
  @Order(1)
  void waitsForAMissingCrd() throws Exception {
    try (JavaProcess operator = start(kubernetes.server().kubeconfig())) {
      operator.awaitLine("Can't list foos.samplecontroller.k8s.io");
      operator.awaitLine("The server does not serve this resource. Install its CRD");
      assertThat(operator.lines()).filteredOn(l -> l.contains("WARN")).hasSize(1);
      assertThat(operator.lines()).noneMatch(l -> l.contains("Started workers"));

      kubernetes.server().install(FooArtifacts.crd());
      createExample();

      operator.awaitLine("Started workers");
      awaitDeployment();
    }
  }

  /** And the role that the example ships is enough, to the last verb. */
  @Test
  void waitsForMissingRights() throws Exception {
    kubernetes.server().install(FooArtifacts.crd());
    createExample();
    try (JavaProcess operator = start(kubernetes.server().kubeconfigFor("foo-operator"))) {
      operator.awaitLine("Can't list foos.samplecontroller.k8s.io");
      operator.awaitLine(
          "Permission denied. Grant this identity the verbs list and watch on foos of the group");
      operator.awaitLine("User \"foo-operator\" cannot list resource \"foos\"");

      grant("foo-operator");

      operator.awaitLine("Successfully synced 'default/example-foo'");
      awaitDeployment();
      eventually()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !kubectl.v1().events().inNamespace("default").list().getItems().isEmpty());
      assertThat(operator.lines()).noneMatch(line -> line.contains("error syncing"));
    }
  }

  /**
   * The user of a Foo cannot read the log, and a policy of the cluster is no mistake of the Foo.
   */
  @Test
  void tellsTheUserWhyThereIsNoDeployment() throws Exception {
    kubernetes.server().install(FooArtifacts.crd());
    grant("foo-refused");
    List<HasMetadata> policy = denial();
    policy.forEach(object -> kubectl.resource(object).create());
    eventually().atMost(Duration.ofSeconds(30)).until(() -> isDenied("probe"));
    try (JavaProcess operator = start(kubernetes.server().kubeconfigFor("foo-refused"))) {
      createExample();
      operator.awaitLine("error syncing 'default/example-foo'");
      eventually()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(events("ReconcileFailed"))
                      .singleElement()
                      .satisfies(
                          event -> {
                            assertThat(event.getType()).isEqualTo("Warning");
                            assertThat(event.getNote()).contains("no Deployments on Sundays");
                          }));
      assertThat(kubectl.resources(Foo.class).inNamespace("default").withName("example-foo").get())
          .extracting(foo -> foo.getStatus().getConditions().get(0).getReason())
          .isEqualTo("DeploymentRejected");
      assertThat(operator.lines()).filteredOn(line -> line.contains("error syncing")).hasSize(1);
    } finally {
      policy.forEach(object -> kubectl.resource(object).delete());
    }
  }

  private List<Event> events(String reason) {
    return kubectl.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  private boolean isDenied(String name) {
    try {
      Deployment probe = FooDeployment.of(FooArtifacts.exampleFoo("default"), name);
      probe.getMetadata().setOwnerReferences(List.of());
      kubectl.resource(probe).dryRun().create();
      return false;
    } catch (KubernetesClientException e) {
      return e.getMessage().contains("no Deployments on Sundays");
    }
  }

  private static List<HasMetadata> denial() {
    return List.of(
        new ValidatingAdmissionPolicyBuilder()
            .withNewMetadata()
            .withName("sundays")
            .endMetadata()
            .withNewSpec()
            .withNewMatchConstraints()
            .addNewResourceRule()
            .withApiGroups("apps")
            .withApiVersions("v1")
            .withOperations("CREATE")
            .withResources("deployments")
            .endResourceRule()
            .endMatchConstraints()
            .addNewValidation()
            .withExpression("false")
            .withMessage("no Deployments on Sundays")
            .endValidation()
            .endSpec()
            .build(),
        new ValidatingAdmissionPolicyBindingBuilder()
            .withNewMetadata()
            .withName("sundays")
            .endMetadata()
            .withNewSpec()
            .withPolicyName("sundays")
            .withValidationActions("Deny")
            .endSpec()
            .build());
  }

  private void grant(String user) throws IOException {
    Manifests.write(new FooOperator(), folder, "foo-system").stream()
        .filter(ClusterRole.class::isInstance)
        .forEach(role -> kubectl.resource(role).serverSideApply());
    Access.bind(kubectl, user, "foo-system-foo-operator");
  }
}
