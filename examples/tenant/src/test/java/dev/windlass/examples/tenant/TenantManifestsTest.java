// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.behaviour.Proves;
import dev.windlass.examples.cli.testing.Manifests;
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
  void deploymentAndServiceAccountAndRightsFit() {
    manifests.assertTheyFit(9090);
  }
}
