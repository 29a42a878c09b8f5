// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.examples.testing.Manifests;
import org.junit.jupiter.api.Test;

/** The files that run the operator in a cluster. */
final class FooManifestsTest {

  private final Manifests manifests = new Manifests();

  @Test
  void crdIsTheOneThatShips() {
    manifests.assertCrd(FooArtifacts.crd());
  }

  @Test
  void rightsAreThosePrinted() {
    manifests.assertRights(new FooOperator());
  }

  @Test
  void deploymentAndServiceAccountAndRightsFit() {
    manifests.assertTheyFit(8081);
  }
}
