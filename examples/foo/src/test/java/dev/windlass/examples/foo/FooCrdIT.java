// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a real server says to the CRD. */
final class FooCrdIT {

  private static final String APPROVAL = "api-approved.kubernetes.io";

  @RegisterExtension
  final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().controllerManager(false));

  /** Its group is under k8s.io, where a type must say that nobody has approved it. */
  @Test
  @Proves("001-90")
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
