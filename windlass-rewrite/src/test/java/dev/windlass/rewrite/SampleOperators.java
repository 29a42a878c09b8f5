// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.SourceFile;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;

/** Sample operators on the Java Operator SDK, which can be compiled, converted and run. */
final class SampleOperators {

  private final Path sources;
  private final Path folder;

  /**
   * Creates the operators.
   *
   * @param name the folder of the sources, below the resources of the tests
   * @param folder where the converted sources and the class files are written
   */
  SampleOperators(String name, Path folder) {
    this.sources = Path.of("src/test/resources", name);
    this.folder = folder;
  }

  /** Compiles the sources as they are, and returns the messages of the compiler. */
  String compile() throws IOException {
    return compile(files(sources), JavaParser.runtimeClasspath());
  }

  /** Compiles the converted sources beside the SDK, and returns the messages. */
  String compileBesideTheSdk() throws IOException {
    return compile(files(converted()), JavaParser.runtimeClasspath());
  }

  /** Compiles the converted sources without the SDK, and returns the messages. */
  String compileConverted() throws IOException {
    List<Path> classPath =
        JavaParser.runtimeClasspath().stream()
            .filter(it -> !it.toString().contains("operator-framework"))
            .toList();
    return compile(files(converted()), classPath);
  }

  /** The folder of the converted sources. */
  Path converted() {
    return folder.resolve("converted");
  }

  /** Converts the sources. */
  SampleOperators convert() throws IOException {
    InMemoryExecutionContext context =
        new InMemoryExecutionContext(
            error -> {
              throw new IllegalStateException(error);
            });
    List<SourceFile> units =
        JavaParser.fromJavaVersion()
            .classpath(JavaParser.runtimeClasspath())
            .build()
            .parse(files(sources), sources, context)
            .toList();
    for (SourceFile unit : units) {
      write(unit, converted());
    }
    var run =
        new FromJavaOperatorSdk().run(new InMemoryLargeSourceSet(units), context).getChangeset();
    for (var result : run.getAllResults()) {
      write(Objects.requireNonNull(result.getAfter()), converted());
    }
    return this;
  }

  private static void write(SourceFile unit, Path folder) throws IOException {
    Path file = folder.resolve(unit.getSourcePath());
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, unit.printAll());
  }

  private String compile(List<Path> files, List<Path> classPath) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    String path = classPath.stream().map(Path::toString).collect(Collectors.joining(":"));
    Path output = Files.createDirectories(folder.resolve("classes"));
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of("-proc:none", "-d", output.toString(), "-cp", path),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      return compiled ? "" : messages.toString();
    }
  }

  /** Loads the compiled classes of one operator, from its package. */
  Loaded load(String name, String reconciler, String type)
      throws ReflectiveOperationException, IOException {
    URL[] urls = {folder.resolve("classes").toUri().toURL()};
    ClassLoader loader = new URLClassLoader(urls, SampleOperators.class.getClassLoader());
    return new Loaded(
        loader.loadClass(name + "." + reconciler).getConstructor().newInstance(),
        loader.loadClass(name + "." + type).asSubclass(HasMetadata.class));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(it -> it.toString().endsWith(".java")).sorted().toList();
    }
  }

  /**
   * The classes of a converted operator.
   *
   * @param reconciler the reconciler
   * @param type the type of the custom resource
   */
  record Loaded(Object reconciler, Class<? extends HasMetadata> type) {

    /** Calls the method that the conversion has written. */
    void register(Manager manager) {
      try {
        reconciler.getClass().getMethod("register", Manager.class).invoke(reconciler, manager);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
