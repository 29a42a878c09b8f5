// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The checkout that this build runs in: its sources, and the classes compiled from them. */
final class Checkout {

  /** The modules that users depend on, in the order in which they build on each other. */
  static final List<String> FRAMEWORK =
      List.of(
          "framework-workqueue",
          "framework-informer",
          "framework-core",
          "framework-webhook",
          "framework-cli",
          "framework-test-server",
          "framework-testing");

  /** Read once: about 20 classes look through the same files. */
  private static final Map<String, List<Path>> SOURCES = new ConcurrentHashMap<>();

  private static final Map<Path, List<String>> LINES = new ConcurrentHashMap<>();

  private Checkout() {}

  /** The directory of the parent project. */
  static Path root() {
    Path start = Path.of("").toAbsolutePath();
    for (Path directory = start; directory != null; directory = directory.getParent()) {
      if (Files.exists(directory.resolve("framework-workqueue/pom.xml"))) {
        return directory;
      }
    }
    throw new IllegalStateException(start + " lies in no checkout of this project");
  }

  /**
   * What the published modules ship; compiled by this build before the tests of this module ran.
   */
  static JavaClasses mainClasses() {
    return MainClasses.ALL;
  }

  /**
   * The packages that users may name: what the module descriptors export to everyone. The compiler
   * makes sure that no type in them shows a type of another package (-Xlint:exports).
   */
  static Set<String> exported() {
    return FRAMEWORK.stream()
        .map(module -> root().resolve(module).resolve("target/classes/module-info.class"))
        .map(Checkout::descriptor)
        .flatMap(module -> module.exports().stream())
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  /** The packages of the framework that users may not name. */
  static Set<String> internal() {
    Set<String> packages =
        mainClasses().stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    packages.removeAll(exported());
    return packages;
  }

  private static ModuleDescriptor descriptor(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the classes that a directory of a module holds; none if it does not exist. */
  static List<String> classNames(String module, String directory) {
    Path root = root().resolve(module).resolve(directory);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    return filesBelow(root).stream()
        .map(file -> String.join(".", names(root.relativize(file))))
        .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
        .map(name -> name.substring(0, name.length() - ".class".length()))
        .toList();
  }

  /**
   * All Java files below {@code src/main/java} or {@code src/test/java}, examples included; but not
   * the programs of {@code benchmarks/compare} and the templates of {@code windlass-archetype},
   * which this build does not compile.
   */
  static List<Path> sources(String sourceSet) {
    return SOURCES.computeIfAbsent(sourceSet, Checkout::findSources);
  }

  private static List<Path> findSources(String sourceSet) {
    Path root = root();
    Path below = Path.of("src", sourceSet, "java");
    return filesBelow(root).stream()
        .filter(file -> file.toString().endsWith(".java"))
        .filter(file -> contains(root.relativize(file), below))
        .filter(file -> !file.startsWith(root.resolve("benchmarks/compare")))
        .filter(file -> !file.startsWith(root.resolve("windlass-archetype")))
        .toList();
  }

  /**
   * The files of a directory tree in the order of their paths, build output and the like left out.
   */
  static List<Path> filesBelow(Path directory) {
    try (Stream<Path> entries = Files.list(directory).sorted()) {
      return entries.flatMap(Checkout::expand).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file, without their ends; no test changes a Java file. */
  static List<String> lines(Path file) {
    return file.toString().endsWith(".java")
        ? LINES.computeIfAbsent(file, Checkout::read)
        : read(file);
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> expand(Path entry) {
    String name = String.valueOf(entry.getFileName());
    if (!Files.isDirectory(entry)) {
      return Stream.of(entry);
    }
    boolean skipped = name.startsWith(".") || name.equals("target");
    return skipped ? Stream.empty() : filesBelow(entry).stream();
  }

  private static List<String> names(Path path) {
    return StreamSupport.stream(path.spliterator(), false).map(Path::toString).toList();
  }

  private static boolean contains(Path path, Path part) {
    for (int i = 0; i + part.getNameCount() < path.getNameCount(); i++) {
      if (path.subpath(i, i + part.getNameCount()).equals(part)) {
        return true;
      }
    }
    return false;
  }

  /** Read once, at first use: an import takes about a second. */
  private static final class MainClasses {
    private static final JavaClasses ALL =
        new ClassFileImporter()
            .importPaths(
                FRAMEWORK.stream()
                    .map(module -> root().resolve(module).resolve("target/classes"))
                    .toList());
  }
}
