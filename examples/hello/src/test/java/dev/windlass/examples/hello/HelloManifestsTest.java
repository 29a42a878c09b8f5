// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.examples.testing.Manifests;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files that run the operator in a cluster. */
final class HelloManifestsTest {

  private final Manifests manifests = new Manifests();

  @Test
  void crdIsTheOneThatShips() {
    manifests.assertCrd(HelloArtifacts.crd());
  }

  @Test
  void rightsAreThosePrinted() {
    manifests.assertRights(new HelloOperator());
  }

  @Test
  void rightsOfTheOtherVariantAreThosePrinted() {
    manifests.assertRights("owns/rbac.yaml", new HelloOperator(), List.of("--variant=owns"));
  }

  @Test
  void deploymentAndServiceAccountAndRightsFit() {
    manifests.assertTheyFit(8081);
  }
}
