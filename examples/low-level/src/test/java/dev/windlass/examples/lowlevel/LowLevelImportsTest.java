// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.lowlevel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the example does without. */
final class LowLevelImportsTest {

  private static final Path SOURCE =
      Path.of("src/main/java/dev/windlass/examples/lowlevel/LowLevelController.java");

  @Test
  void usesNothingAboveInformersAndTheQueueButTheRecorder() throws IOException {
    assertThat(Files.readAllLines(SOURCE))
        .filteredOn(line -> line.startsWith("import dev.windlass."))
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches(
                    "import dev\\.windlass\\."
                        + "(informer|object|workqueue|scheduling|events|examples\\.foo)\\..*"));
  }
}
