// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real server says to the CRD. */
final class FooCrdIT {

  private static final String NAME = "foos.samplecontroller.k8s.io";
  private static final String APPROVAL = "api-approved.kubernetes.io";

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AfterEach
  void removesTheCrd() {
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      FooArtifacts.uninstall(kubectl);
    }
  }

  @Test
  void isAppliedAsTheBuildMakesItAndEstablished(@TempDir Path folder) {
    Kubectl kubectl = Kubectl.on(kubernetes.server(), folder);
    assertThat(kubectl.applyCrd("target/classes/artifacts/examples/crd-status-subresource.yaml"))
        .isEqualTo(
            "customresourcedefinition.apiextensions.k8s.io/foos.samplecontroller.k8s.io created\n");
    assertThat(kubectl.applyCrd("target/classes/META-INF/fabric8/" + NAME + "-v1.yml"))
        .as("the same")
        .contains("unchanged");

    assertThat(
            kubectl
                .run("create", "-n", "default", "-f", "artifacts/examples/example-foo.yaml")
                .text())
        .isEqualTo("foo.samplecontroller.k8s.io/example-foo created\n");
    assertThat(kubectl.run("get", "-n", "default", "foos").lines().get(0).split(" +", -1))
        .as("no print columns")
        .containsExactly("NAME", "AGE");
    assertThat(kubectl.run("delete", "crd", NAME).exit()).isZero();
    assertThat(kubectl.run("get", "-n", "default", "foos").exit()).as("gone").isNotZero();
  }

  /** Its group is under k8s.io, where a type must say that nobody has approved it. */
  @Test
  void isTakenOnlyIfItSaysThatItIsNotApproved() {
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      CustomResourceDefinition crd = FooArtifacts.crd();
      String approval = crd.getMetadata().getAnnotations().get(APPROVAL);
      assertThat(approval).startsWith("unapproved, experimental-only; ");
      crd.getMetadata().getAnnotations().remove(APPROVAL);
      assertThatThrownBy(() -> kubectl.resource(crd).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(APPROVAL);
      crd.getMetadata().getAnnotations().put(APPROVAL, approval);
      assertThat(kubectl.resource(crd).create().getMetadata().getUid()).isNotEmpty();
    }
  }
}
