// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * The part that the goals {@code helm} and {@code manifests} share: it runs the program of the
 * project, which writes the files that install it.
 */
abstract class InstallationMojo extends AbstractMojo {

  /** The class with the main method, which extends Windlass's {@code Operator}. */
  @Parameter(property = "windlass.mainClass", defaultValue = "${main.class}")
  private @Nullable String mainClass;

  /** The image in the written files, with its tag. */
  @Parameter(
      property = "windlass.image",
      defaultValue = "${project.artifactId}:${project.version}",
      required = true)
  private String image = "";

  /** Options of the program, which also become arguments of its container. */
  @Parameter(property = "windlass.arguments")
  private List<String> arguments = List.of();

  @Parameter(defaultValue = "${project}", readonly = true)
  private @Nullable MavenProject project;

  /** Runs the program with the options of the user and the given ones. */
  final void run(List<String> options) throws MojoExecutionException, MojoFailureException {
    if (mainClass == null || mainClass.isBlank()) {
      throw new MojoExecutionException(
          "set the property main.class, or <mainClass> of this goal, to the class of the program");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath()));
    command.add(mainClass);
    command.addAll(arguments);
    command.addAll(options);
    command.add("--write-image=" + image);
    List<String> output = new ArrayList<>();
    int code = run(command, output);
    if (code != 0) {
      output.forEach(getLog()::error);
      throw new MojoFailureException(mainClass + " has ended with code " + code);
    }
    output.forEach(getLog()::debug);
  }

  private String classPath() throws MojoExecutionException {
    try {
      return String.join(
          File.pathSeparator, Objects.requireNonNull(project).getRuntimeClasspathElements());
    } catch (DependencyResolutionRequiredException e) {
      throw new MojoExecutionException("the class path is not resolved", e);
    }
  }

  private static int run(List<String> command, List<String> output) throws MojoExecutionException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
        lines.lines().forEach(output::add);
      }
      return process.waitFor();
    } catch (IOException e) {
      throw new MojoExecutionException("the program could not be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted", e);
    }
  }
}
