// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import dev.windlass.maven.crd.BreakingChange;
import dev.windlass.maven.crd.CrdDiff;
import dev.windlass.maven.crd.CrdFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the goals {@code crd-diff} and {@code crd-diff-no-fork}, which compare the CRDs
 * of this build with earlier CRDs.
 */
abstract class CrdComparison extends AbstractMojo {

  /** The CRDs of this build. The default is the folder to which the CRD generator writes them. */
  @Parameter(
      property = "windlass.crds",
      defaultValue = "${project.build.outputDirectory}/META-INF/fabric8")
  private File crds = new File("");

  /**
   * The earlier CRDs: a folder with YAML or JSON files, a single file, or a jar. This parameter
   * takes precedence over {@code baselineVersion}.
   */
  @Parameter(property = "windlass.baseline")
  private @Nullable File baseline;

  /**
   * The earlier version of this project. Its jar must contain the earlier CRDs. Required unless
   * {@code baseline} is set.
   */
  @Parameter(property = "windlass.baselineVersion")
  private @Nullable String baselineVersion;

  /** The breaking changes that you accept, exactly as this goal prints them. */
  @Parameter private List<String> accepted = List.of();

  /** Whether to skip the comparison. */
  @Parameter(property = "windlass.crdDiff.skip", defaultValue = "false")
  private boolean skip;

  @Parameter(defaultValue = "${project}", readonly = true)
  private @Nullable MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true)
  private @Nullable MavenSession session;

  private final RepositorySystem repositories;

  CrdComparison(RepositorySystem repositories) {
    this.repositories = repositories;
  }

  @Override
  public final void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("The CRDs are not compared, because windlass.crdDiff.skip is set");
      return;
    }
    if (!crds.exists()) {
      throw new MojoExecutionException(
          crds
              + " does not exist: add the crd-generator-maven-plugin to this build, and run"
              + " process-classes before this goal, or set <crds> to the folder of the CRDs");
    }
    List<String> changes = new ArrayList<>();
    try {
      Path earlier = earlier();
      for (BreakingChange change :
          CrdDiff.of(CrdFiles.read(earlier), CrdFiles.read(crds.toPath()), getLog()::warn)) {
        changes.add(change.toString());
      }
      getLog().info("Compared the CRDs with " + earlier);
    } catch (IOException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
    for (String text : accepted) {
      if (changes.remove(text)) {
        getLog().info("Accepted by the configuration: " + text);
      } else {
        getLog().warn("This accepted change is not there any more: " + text);
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    changes.forEach(change -> getLog().error(change));
    throw new MojoFailureException(
        changes.size()
            + (changes.size() == 1 ? " change of the CRDs breaks" : " changes of the CRDs break")
            + " stored objects or clients: undo what is listed above, add a new version to the CRD,"
            + " or copy each line that you accept to a <change> in <accepted> of this goal");
  }

  private Path earlier() throws MojoExecutionException {
    if (baseline != null) {
      return baseline.toPath();
    }
    if (baselineVersion == null) {
      throw new MojoExecutionException(
          "there is nothing to compare with: set <baselineVersion> to the last release of this"
              + " project, or <baseline> to a folder or jar with the earlier CRDs");
    }
    return released(baselineVersion);
  }

  private Path released(String version) throws MojoExecutionException {
    MavenProject present = Objects.requireNonNull(project); // set by Maven
    if (version.equals(present.getVersion())) { // Maven would resolve it to this build
      throw new MojoExecutionException(
          "the version "
              + version
              + " is that of this build, not of an earlier release: increase the version of the"
              + " project after a release. Before the first release, set the property"
              + " windlass.crdDiff.skip to true");
    }
    ArtifactRequest request =
        new ArtifactRequest(
            new DefaultArtifact(present.getGroupId(), present.getArtifactId(), "jar", version),
            present.getRemoteProjectRepositories(),
            null);
    try {
      return repositories
          .resolveArtifact(Objects.requireNonNull(session).getRepositorySession(), request)
          .getArtifact()
          .getFile()
          .toPath();
    } catch (ArtifactResolutionException e) {
      throw new MojoExecutionException(
          "the version "
              + version
              + " of this project cannot be resolved ("
              + e.getMessage()
              + "). Before the first release, set the property windlass.crdDiff.skip to true",
          e);
    }
  }
}
