// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import javax.inject.Inject;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.eclipse.aether.RepositorySystem;

/**
 * Compiles the project, and fails if its CRDs have changed in a way that breaks stored objects or
 * clients: a field was removed, values are restricted further, or a version is no longer served.
 * The earlier CRDs are those of the last release, or those in a folder or jar.
 *
 * <p>This goal is for the command line. In an execution of a POM, use {@code crd-diff-no-fork},
 * which does not compile the project again.
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
