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
import java.util.Properties;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the goals {@code helm} and {@code manifests}. They run the project's program,
 * which writes the files for its own installation. A property on Maven's command line takes
 * precedence over the {@code <configuration>} in the POM. By default, Maven gives precedence to the
 * {@code <configuration>}.
 */
abstract class InstallationMojo extends AbstractMojo {

  /** The program's main class, which extends Windlass's {@code Operator}. */
  @Parameter(property = "windlass.mainClass", defaultValue = "${main.class}")
  @Nullable String mainClass;

  /** The container image, with its tag, that the written files specify. */
  @Parameter(
      property = "windlass.image",
      defaultValue = "${project.artifactId}:${project.version}",
      required = true)
  String image = "";

  /** Options of the program. They are also written to the files as container arguments. */
  @Parameter(property = "windlass.arguments")
  List<String> arguments = List.of();

  /** The properties on Maven's command line. */
  @Parameter(defaultValue = "${session.userProperties}", readonly = true)
  Properties userProperties = new Properties();

  @Parameter(defaultValue = "${project}", readonly = true)
  private @Nullable MavenProject project;

  /**
   * Runs the program with the user's {@link #arguments} and the given options.
   *
   * @throws MojoFailureException if the program fails
   */
  final void run(List<String> options) throws MojoExecutionException, MojoFailureException {
    List<String> command = command(classPath(), options);
    List<String> output = new ArrayList<>();
    int code = run(command, output);
    if (code != 0) {
      output.forEach(getLog()::error);
      throw new MojoFailureException(
          command.get(command.indexOf("-cp") + 2) + " has ended with code " + code);
    }
    output.forEach(getLog()::debug);
  }

  /**
   * Returns the command line that runs the program with the user's {@link #arguments} and the given
   * options.
   */
  final List<String> command(String classPath, List<String> options) throws MojoExecutionException {
    String program = chosen("windlass.mainClass", mainClass == null ? "" : mainClass);
    if (program.isBlank()) {
      throw new MojoExecutionException(
          "set the property main.class, or <mainClass> of this goal, to the class of the program");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
    command.add(program);
    String given = userProperties.getProperty("windlass.arguments");
    command.addAll(given == null ? arguments : List.of(given.split(",", -1)));
    command.addAll(options);
    command.add("--write-image=" + chosen("windlass.image", image));
    return command;
  }

  /**
   * Returns the value of a property on Maven's command line, or the configured value if the
   * property is not set.
   */
  final String chosen(String property, String configured) {
    return userProperties.getProperty(property, configured);
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
