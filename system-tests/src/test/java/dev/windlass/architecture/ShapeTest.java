// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.windlass.architecture.LayersTest.named;
import static dev.windlass.architecture.TimeTest.isOn;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** How a class looks: its name, its size, its fields and its docstring. */
final class ShapeTest {

  /** Lines of code, without comments, blank lines, imports and the package. */
  private static final int MAX_LINES = 400;

  /** Names that say nothing. A {@code Manager} there is only one. */
  private static final String VAGUE_NAMES =
      ".*[.$](Abstract[A-Z]\\w*|\\w*(Utils?|Helper|Impl|Common)|\\w+Manager)";

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "\\s*public ((static|final|abstract|sealed|non-sealed|strictfp) )*"
              + "(class|interface|record|enum|@interface) \\w+.*");

  @Test
  void noNameIsVague() {
    noClasses().should().haveNameMatching(VAGUE_NAMES).check(Checkout.mainClasses());
  }

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

  @Test
  void loggersArePrivateStaticFinalAndCalledLog() {
    fields()
        .that()
        .haveRawType(Logger.class)
        .should()
        .bePrivate()
        .andShould()
        .beStatic()
        .andShould()
        .beFinal()
        .andShould()
        .haveName("log")
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

  @Test
  void noFileIsLong() {
    List<String> tooLong =
        Checkout.sources("main").stream()
            .filter(file -> linesOfCode(file) > MAX_LINES)
            .map(file -> relative(file) + " has " + linesOfCode(file) + " lines of code")
            .toList();
    assertThat(tooLong).as("files of more than %d lines: find the seam", MAX_LINES).isEmpty();
  }

  private static int linesOfCode(Path file) {
    int lines = 0;
    boolean comment = false;
    for (String line : Checkout.lines(file)) {
      String text = line.strip();
      comment |= text.startsWith("/*");
      boolean code = !comment && !text.isEmpty() && !text.startsWith("//");
      lines += code && !text.startsWith("import ") && !text.startsWith("package ") ? 1 : 0;
      comment &= !text.endsWith("*/");
    }
    return lines;
  }

  @Test
  void eachPublicTypeSaysWhatItIs() {
    List<String> silent = new ArrayList<>();
    for (Path file : Checkout.sources("main")) {
      List<String> lines = Checkout.lines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (PUBLIC_TYPE.matcher(lines.get(i)).matches() && !hasDocstringAbove(lines, i)) {
          silent.add(relative(file) + ":" + (i + 1) + lines.get(i));
        }
      }
    }
    assertThat(silent).as("public types without a docstring").isEmpty();
  }

  @Test
  void eachSourceNamesTheLicence() {
    List<String> bare =
        Stream.of("main", "test")
            .flatMap(sourceSet -> Checkout.sources(sourceSet).stream())
            .filter(
                file ->
                    !Checkout.lines(file).get(0).equals("// SPDX-License-Identifier: Apache-2.0"))
            .map(ShapeTest::relative)
            .toList();
    assertThat(bare).isEmpty();
    assertThat(Files.exists(Checkout.root().resolve("LICENSE"))).isTrue();
  }

  /** Goes up over annotations, which may span lines, to what stands before them. */
  private static boolean hasDocstringAbove(List<String> lines, int declaration) {
    for (int i = declaration - 1; i >= 0; i--) {
      String line = lines.get(i).strip();
      if (line.endsWith("*/")) {
        return true;
      }
      if (line.isEmpty() || line.endsWith(";") || line.endsWith("{") || line.endsWith("}")) {
        return false;
      }
    }
    return false;
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
