// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Compiles the project, and writes a Helm chart for its program. The program must extend Windlass's
 * {@code Operator}.
 */
@Mojo(name = "helm", requiresDependencyResolution = ResolutionScope.RUNTIME, threadSafe = true)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class HelmMojo extends InstallationMojo {

  /** The chart's folder. */
  @Parameter(
      property = "windlass.helm.folder",
      defaultValue = "${project.build.directory}/helm/${project.artifactId}")
  private File folder = new File("");

  /** Creates the goal, as Maven requires. */
  public HelmMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    String chart = chosen("windlass.helm.folder", folder.toString());
    run(List.of("--write-helm=" + chart));
    getLog().info("Wrote the chart " + chart);
  }
}
