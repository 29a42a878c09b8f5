// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import dev.windlass.maven.crd.CrdFiles;
import dev.windlass.maven.crd.CrdFinish;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Completes the project's generated CRDs with settings for which the CRD generator has no
 * annotations. The goal completes the schema of {@code status.conditions}, declares it as a list of
 * type {@code map} with the key {@code type}, and moves the printer column for the age to the end.
 * In the POM, declare this plugin after the {@code crd-generator-maven-plugin}. Maven runs the
 * plugins of a phase in the order in which the POM declares them.
 */
@Mojo(name = "finish-crds", defaultPhase = LifecyclePhase.PROCESS_CLASSES, threadSafe = true)
public final class FinishCrdsMojo extends AbstractMojo {

  /** The CRDs of this build. The default is the folder to which the CRD generator writes them. */
  @Parameter(
      property = "windlass.crds",
      defaultValue = "${project.build.outputDirectory}/META-INF/fabric8")
  private File crds = new File("");

  /**
   * The fields that each condition must have. By default, these are the required fields of {@code
   * meta/v1 Condition}.
   */
  @Parameter(
      property = "windlass.conditions.required",
      defaultValue = "lastTransitionTime,message,reason,status,type")
  private List<String> required = List.of();

  /** Creates the goal, as Maven requires. */
  public FinishCrdsMojo() {}

  @Override
  public void execute() throws MojoExecutionException {
    if (!crds.exists()) {
      throw new MojoExecutionException(
          crds
              + " does not exist: this goal must run after the goal generate of the"
              + " crd-generator-maven-plugin, so its plugin must follow that one in the POM");
    }
    try {
      List<String> changed = CrdFiles.edit(crds.toPath(), new CrdFinish(required)::apply);
      changed.forEach(name -> getLog().info("Finished the CRD " + name));
    } catch (IOException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }
}
