// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users meet is small, and they meet nothing else. */
final class InternalPackagesTest {

  private static final Set<String> INTERNAL = Checkout.internal();

  /** A class with its package. */
  private static final Pattern QUALIFIED = Pattern.compile("\\b(dev(?:\\.[a-z]\\w*)+)\\.[A-Z]");

  /**
   * What a newcomer can choose from; the rest stands in packages that are not exported. The 86th is
   * CrdInstallation: each operator installs its CRDs, and would do it by itself otherwise.
   */
  private static final int PUBLIC_TYPES_OF_CORE = 86;

  @Test
  void theCoreExportsFewTypes() {
    Set<String> exported = Checkout.exported();
    List<String> types =
        Checkout.mainClasses().stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> exported.contains(type.getPackageName()))
            .filter(type -> isOfCore(type))
            .map(JavaClass::getName)
            .toList();
    assertThat(types).hasSizeBetween(PUBLIC_TYPES_OF_CORE / 2, PUBLIC_TYPES_OF_CORE);
  }

  private static boolean isOfCore(JavaClass type) {
    return type.getSource().orElseThrow().getUri().toString().contains("/framework-core/");
  }

  @Test
  void noExampleAndNoGuideUsesThem() {
    List<Path> sources =
        Stream.of("main", "test")
            .flatMap(set -> Checkout.sources(set).stream())
            .filter(
                file ->
                    file.startsWith(Checkout.root().resolve("examples"))
                        || file.toString().contains("dev/windlass/guides"))
            .toList();
    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(sources)
        .allSatisfy(
            file -> assertThat(Checkout.lines(file)).noneMatch(InternalPackagesTest::namesOne));
  }

  /** The first word tells a reader of a directory whether the package is for users. */
  @Test
  void eachSaysThatItIsInternalAndNoOtherDoes() {
    Set<String> said =
        Checkout.sources("main").stream()
            .filter(file -> file.endsWith("package-info.java"))
            .filter(InternalPackagesTest::saysSo)
            .map(InternalPackagesTest::packageOf)
            .collect(Collectors.toSet());
    assertThat(said).isEqualTo(INTERNAL);
  }

  private static boolean saysSo(Path file) {
    List<String> lines = Checkout.lines(file);
    return lines.get(lines.indexOf("/**") + 1).startsWith(" * Internal: ");
  }

  private static String packageOf(Path file) {
    return Checkout.lines(file).stream()
        .filter(line -> line.startsWith("package "))
        .map(line -> line.substring("package ".length(), line.length() - 1))
        .findFirst()
        .orElseThrow();
  }

  private static boolean namesOne(String line) {
    return QUALIFIED.matcher(line).results().anyMatch(name -> INTERNAL.contains(name.group(1)));
  }
}
