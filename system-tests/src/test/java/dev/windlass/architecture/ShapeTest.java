// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.windlass.architecture.LayersTest.named;
import static dev.windlass.architecture.TimeTest.isOn;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for each class and each package. */
final class ShapeTest {

  @Test
  void staticFieldsAreFinal() {
    fields()
        .that()
        .areStatic()
        .should()
        .beFinal()
        .because("two managers in one process must not meet in a variable")
        .check(Checkout.mainClasses());
  }

  /** A second SIGTERM ends the process at once; that is the one way out that users ask for. */
  @Test
  void theLibraryNeitherPrintsNorExits() {
    noClasses()
        .that(not(named("manager.shutdown.ShutdownSignals")))
        .and(not(named("testing.apiserver.real.RealApiServerProgram"))) // has a main
        .and(not(named("testing.aot.TrainingRun"))) // has a main
        .and(not(named("cli.StandardOutput"))) // asks whether picocli could print
        .should()
        .accessTargetWhere(
            describe(
                "print or exit",
                access ->
                    isOn(access, System.class, Set.of("out", "err", "exit"))
                        || isOn(access, Runtime.class, Set.of("exit", "halt"))
                        || access.getTarget().getName().equals("printStackTrace")))
        .check(Checkout.mainClasses());
  }

  /** A package that tests share with the code that they test is described by the latter. */
  @Test
  void eachPackageSaysWhatItIsAndThatItIsNullMarked() {
    Set<String> packages = new TreeSet<>();
    Set<String> described = new TreeSet<>();
    Stream.of("main", "test")
        .flatMap(sourceSet -> Checkout.sources(sourceSet).stream())
        .forEach(
            file -> {
              if (file.endsWith("module-info.java")) {
                return;
              }
              String name = packageOf(file);
              packages.add(name);
              if (file.endsWith("package-info.java")) {
                List<String> lines = Checkout.lines(file);
                assertThat(lines).as("%s", relative(file)).contains("@NullMarked");
                assertThat(lines).anyMatch(line -> line.startsWith("/**"));
                described.add(name);
              }
            });
    assertThat(described).as("packages with a package-info").isEqualTo(packages);
  }

  private static String packageOf(Path file) {
    return Checkout.lines(file).stream()
        .filter(line -> line.startsWith("package "))
        .findFirst()
        .map(line -> line.substring("package ".length(), line.length() - 1))
        .orElse("");
  }

  private static String relative(Path file) {
    return Checkout.root().relativize(file).toString();
  }
}
