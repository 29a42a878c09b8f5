// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.failure.FailureCause;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/operations/errors.md} says what the code says. */
final class ErrorsPageTest {

  private static final Path ROOT = Checkout.root();
  private static final List<String> PAGE =
      Checkout.lines(ROOT.resolve("docs/operations/errors.md"));

  @Test
  void hasASectionForEachCauseInTheOrderOfTheCode() {
    assertThat(PAGE.stream().filter(line -> line.startsWith("## ")).map(line -> line.substring(3)))
        .containsExactlyElementsOf(
            Arrays.stream(FailureCause.values()).map(FailureCause::name).toList());
  }

  @Test
  void eachSectionQuotesTheSentenceAndNamesCauseAndCure() {
    for (FailureCause problem : FailureCause.values()) {
      int at = PAGE.indexOf("## " + problem.name());
      assertThat(PAGE.get(at + 2)).isEqualTo("> " + problem.sentence());
      assertThat(PAGE.get(at + 4)).startsWith("**Cause:** ");
      assertThat(PAGE.get(at + 6)).startsWith("**Remedy:** ");
    }
  }

  @Test
  void whatItSaysOfKubeconfigsStandsInTheCode() {
    String code =
        String.join(
                "\n",
                Stream.of("ClientConfig", "ExecCredentials", "TokenFile")
                    .flatMap(
                        type ->
                            Checkout.lines(
                                ROOT.resolve(
                                    "framework-informer/src/main/java/dev/windlass/kubeconfig/"
                                        + type
                                        + ".java"))
                                .stream())
                    .toList())
            .replaceAll("\"\\s*\\+ \"", "");
    List<String> messages =
        PAGE.stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| the message"))
            .map(line -> line.substring(2, line.indexOf(" | ")))
            .toList();
    assertThat(messages).hasSize(8).allMatch(code::contains);
  }
}
