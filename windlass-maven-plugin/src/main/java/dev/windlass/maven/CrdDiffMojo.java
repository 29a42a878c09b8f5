// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import javax.inject.Inject;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.eclipse.aether.RepositorySystem;

/**
 * Compiles the project, and compares its CRDs with those of an earlier release, or with those in a
 * folder or jar. The goal fails if a change breaks stored objects or clients: for example, if a
 * field has been removed, if the values of a field are restricted further, or if a version is no
 * longer served.
 *
 * <p>Use this goal on the command line. In a POM, use the goal {@code crd-diff-no-fork}, which does
 * not compile the project again.
 */
@Mojo(name = "crd-diff", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class CrdDiffMojo extends CrdComparison {

  /** Creates the goal, as Maven requires. */
  @Inject
  public CrdDiffMojo(RepositorySystem repositories) {
    super(repositories);
  }
}
