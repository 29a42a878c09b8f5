// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.crd.CrdInstallation;
import dev.windlass.manager.Manager;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.tests.install.Rope;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/guides/crds.md} that installs a CRD. */
@EmbeddedKubernetes
final class CrdInstallationGuideTest {

  @Test
  void installsTheCrdBeforeItStarts(Config config, KubernetesClient kubectl) {
    // sample: install
    try (Manager manager = Manager.builder().config(config).build()) {
      CrdInstallation.of(Rope.class).install(manager);
      ControllerBuilder.forType(Rope.class)
          .objectReconciler((rope, context) -> Result.done())
          .register(manager);
      manager.start(); // or run()
    }
    // end
    assertThat(kubectl.resources(Rope.class).inNamespace("default").list().getItems()).isEmpty();
  }
}
