// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.examples.testing.Manifests;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The files that run the operator in a cluster. */
final class TenantManifestsTest {

  private final Manifests manifests = new Manifests();

  @Test
  void crdIsTheOneThatShips() {
    manifests.assertCrd(TenantArtifacts.crd());
  }

  @Test
  @Proves("000-133")
  void rightsAreThosePrinted() {
    manifests.assertRights(new TenantOperator());
  }

  @Test
  void printsTheServiceAndTheConfigurationsOfItsWebhooks() {
    StringWriter printed = new StringWriter();
    int code =
        new TenantOperator()
            .commandLine()
            .setOut(new PrintWriter(printed))
            .execute(
                "--print-manifests",
                "--webhook-service=tenant-operator",
                "--webhook-namespace=tenant-system");
    assertThat(code).isZero();
    assertThat(printed.toString())
        .contains(
            "kind: \"ClusterRole\"",
            "kind: \"Service\"",
            "app: \"tenant-operator\"",
            "kind: \"ValidatingWebhookConfiguration\"",
            "kind: \"MutatingWebhookConfiguration\"");
  }

  @Test
  void deploymentAndServiceAccountAndRightsFit() {
    manifests.assertTheyFit(9090);
  }
}
