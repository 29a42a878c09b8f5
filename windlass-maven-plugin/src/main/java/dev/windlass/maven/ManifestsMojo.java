// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the project, and writes a YAML file that installs its program. The program must extend
 * Windlass's {@code Operator}.
 */
@Mojo(name = "manifests", requiresDependencyResolution = ResolutionScope.RUNTIME, threadSafe = true)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class ManifestsMojo extends InstallationMojo {

  /** The file to write. */
  @Parameter(
      property = "windlass.manifests.file",
      defaultValue = "${project.build.directory}/install.yaml")
  private File file = new File("");

  /** The program's namespace. The default is the program's name, followed by {@code -system}. */
  @Parameter(property = "windlass.namespace")
  private @Nullable String namespace;

  /** Creates the goal, as Maven requires. */
  public ManifestsMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    String written = chosen("windlass.manifests.file", file.toString());
    List<String> options = new ArrayList<>(List.of("--write-manifests=" + written));
    String home = chosen("windlass.namespace", namespace == null ? "" : namespace);
    if (!home.isEmpty()) {
      options.add("--write-namespace=" + home);
    }
    run(options);
    getLog().info("Wrote " + written);
  }
}
