// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.jspecify.annotations.Nullable;

/**
 * Starts a real API server, with which you can try an operator and use {@code kubectl}. Ctrl-C
 * stops the server. The programs are those in the directory {@code KUBEBUILDER_ASSETS} or, if it is
 * unset, the newest ones that setup-envtest has installed. If there is a kube-controller-manager
 * beside them, the goal also starts it. The goal does not require a project.
 */
@Mojo(name = "apiserver", requiresProject = false, threadSafe = true)
public final class ApiServerMojo extends AbstractMojo {

  private static final String PROGRAM = "dev.windlass.testing.apiserver.real.RealApiServerProgram";

  /** The file to which the server writes the kubeconfig. The file must not exist yet. */
  @Parameter(property = "kubeconfig", defaultValue = "kubeconfig")
  private File kubeconfig = new File("");

  @Parameter(defaultValue = "${plugin}", readonly = true)
  private @Nullable PluginDescriptor plugin;

  @Parameter(defaultValue = "${project}", readonly = true)
  private @Nullable MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true)
  private @Nullable MavenSession session;

  private final RepositorySystem repositories;

  /** Creates the goal, as Maven requires. */
  @Inject
  public ApiServerMojo(RepositorySystem repositories) {
    this.repositories = repositories;
  }

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (kubeconfig.exists()) {
      throw new MojoFailureException(
          kubeconfig
              + " already exists: name another file with -Dkubeconfig=FILE, or delete this one if no"
              + " server uses it");
    }
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dslf4j.internal.verbosity=ERROR",
            "-cp",
            classPath(),
            PROGRAM,
            kubeconfig.getAbsolutePath());
    try {
      Process server = new ProcessBuilder(command).inheritIO().start();
      Thread stop = new Thread(() -> stop(server), "apiserver-stop");
      Runtime.getRuntime().addShutdownHook(stop);
      int code = server.waitFor();
      if (code != 0) {
        throw new MojoFailureException(
            "the API server has ended with code " + code + "; the lines above state the cause");
      }
    } catch (IOException e) {
      throw new MojoExecutionException("the program could not be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted", e);
    }
  }

  /**
   * Stops the server and waits for it to end. Ctrl-C stops both Maven and the server, but other
   * signals may stop only Maven.
   */
  private static void stop(Process server) {
    server.destroy();
    try {
      server.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Resolves the test server, which has the same version as this plugin, and its dependencies.
   * Returns the class path.
   */
  private String classPath() throws MojoExecutionException {
    String version = Objects.requireNonNull(plugin).getVersion(); // set by Maven
    Artifact server = new DefaultArtifact("dev.windlass", "framework-test-server", "jar", version);
    MavenProject present = Objects.requireNonNull(project);
    List<RemoteRepository> remote = new ArrayList<>(present.getRemotePluginRepositories());
    remote.addAll(present.getRemoteProjectRepositories());
    DependencyRequest request =
        new DependencyRequest(new CollectRequest(new Dependency(server, "runtime"), remote), null);
    try {
      return repositories
          .resolveDependencies(Objects.requireNonNull(session).getRepositorySession(), request)
          .getArtifactResults()
          .stream()
          .map(result -> result.getArtifact().getFile().toString())
          .collect(Collectors.joining(File.pathSeparator));
    } catch (DependencyResolutionException e) {
      throw new MojoExecutionException("the API server cannot be resolved: " + e.getMessage(), e);
    }
  }
}
