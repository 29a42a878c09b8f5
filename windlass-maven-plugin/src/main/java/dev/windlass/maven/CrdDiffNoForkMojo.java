// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import javax.inject.Inject;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.eclipse.aether.RepositorySystem;

/**
 * Compares the CRDs of the current build with earlier CRDs, as {@code crd-diff} does, but does not
 * compile the project again. Use this goal in a POM.
 */
@Mojo(name = "crd-diff-no-fork", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CrdDiffNoForkMojo extends CrdComparison {

  /** Creates the goal, as Maven requires. */
  @Inject
  public CrdDiffNoForkMojo(RepositorySystem repositories) {
    super(repositories);
  }
}
