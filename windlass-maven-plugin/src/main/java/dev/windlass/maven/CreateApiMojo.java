// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import dev.windlass.maven.api.ApiSources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Adds a custom resource, its reconciler and tests to a project, and registers the reconciler in
 * the program. The goal fails if a file that it would create already exists.
 */
@Mojo(name = "create-api", threadSafe = true)
public final class CreateApiMojo extends AbstractMojo {

  /** The custom resource's kind, such as {@code Website}. Required. */
  @Parameter(property = "kind")
  private @Nullable String kind;

  /** The custom resource's API group, such as {@code example.com}. Required. */
  @Parameter(property = "group")
  private @Nullable String group;

  /** The program's main class. The goal creates the new classes in the same package. */
  @Parameter(property = "windlass.mainClass", defaultValue = "${main.class}")
  private @Nullable String mainClass;

  @Parameter(defaultValue = "${project.basedir}", readonly = true)
  private File project = new File("");

  /** Creates the goal, as Maven requires. */
  public CreateApiMojo() {}

  @Override
  public void execute() throws MojoExecutionException {
    if (kind == null || group == null) {
      throw new MojoExecutionException(
          "state the kind and the API group, such as"
              + " mvn windlass:create-api -Dkind=Gadget -Dgroup=example.com");
    }
    if (mainClass == null || mainClass.indexOf('.') < 0) {
      throw new MojoExecutionException(
          "set the property main.class, or <mainClass> of this goal, to the class of the program");
    }
    String packageName = mainClass.substring(0, mainClass.lastIndexOf('.'));
    Path root = project.toPath();
    try {
      ApiSources sources = new ApiSources(kind, group, packageName);
      Map<String, String> files = sources.files();
      for (String file : files.keySet()) {
        if (Files.exists(root.resolve(file))) {
          throw new MojoExecutionException("the file " + file + " exists already");
        }
      }
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = root.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
        getLog().info("Created " + file.getKey());
      }
      register(sources, root.resolve("src/main/java/" + mainClass.replace('.', '/') + ".java"));
      getLog()
          .info(
              "Describe the type in README.md, in the @Command of the program, and in the"
                  + " description of pom.xml, which the Helm chart repeats");
    } catch (IllegalArgumentException | IOException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  private void register(ApiSources sources, Path program) throws IOException {
    Optional<String> changed =
        Files.exists(program) ? sources.registeredIn(Files.readString(program)) : Optional.empty();
    if (changed.isPresent()) {
      Files.writeString(program, changed.get());
      getLog().info("Registered the reconciler in " + mainClass);
    } else {
      getLog()
          .warn(
              mainClass
                  + " has no method registerWith(Manager manager): register "
                  + sources.kind()
                  + "Reconciler in your program");
    }
  }
}
