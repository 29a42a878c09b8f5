// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/embedded-server.md} lists the known differences. */
final class KnownDifferenceTest {

  @Test
  void areThoseOnThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "embedded-server.md"));
    String list = page.replaceAll("(?s).*if there are 25:\\s+|\\s+Admission webhooks.*", "");
    assertThat(list.replaceAll("\\s+", " ").replaceFirst("- ", "").split(" - "))
        .containsExactlyElementsOf(
            Stream.concat(
                    KnownDifference.ALL.stream().map(KnownDifference::reason),
                    KnownDifference.AVOIDED.stream())
                .toList());
  }
}
