// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages that are not for users are named neither by the public interface nor by examples. */
final class InternalPackagesTest {

  @Test
  void thePublicInterfaceShowsNoneOfThem() {
    List<String> found = new ArrayList<>();
    for (String module : Checkout.FRAMEWORK) {
      Checkout.lines(Checkout.root().resolve("docs/api/" + module + ".txt")).stream()
          .filter(InternalPackagesTest::namesOne)
          .forEach(found::add);
    }
    assertThat(found).isEmpty();
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

  private static boolean namesOne(String line) {
    return Checkout.INTERNAL.stream().anyMatch(name -> line.contains(name + "."));
  }
}
