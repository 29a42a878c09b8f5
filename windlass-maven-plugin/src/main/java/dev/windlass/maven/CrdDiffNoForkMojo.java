// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import javax.inject.Inject;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.eclipse.aether.RepositorySystem;

/**
 * Does the same as {@code crd-diff} with the CRDs that the running build has generated. Use it in
 * an execution of a POM.
 */
@Mojo(name = "crd-diff-no-fork", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CrdDiffNoForkMojo extends CrdComparison {

  /** Creates the goal, as Maven requires. */
  @Inject
  public CrdDiffNoForkMojo(RepositorySystem repositories) {
    super(repositories);
  }
}
