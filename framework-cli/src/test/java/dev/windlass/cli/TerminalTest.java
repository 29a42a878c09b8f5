// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the log is coloured. */
final class TerminalTest {

  private static boolean coloured(boolean there, String... variable) {
    Map<String, String> environment =
        variable.length == 0 ? Map.of() : Map.of(variable[0], variable[1]);
    return new Terminal(there, environment).isColoured();
  }

  @Test
  void isColouredOnATerminal() {
    assertThat(coloured(true)).isTrue();
    assertThat(coloured(true, "TERM", "xterm")).isTrue();
    assertThat(coloured(false, "TERM", "xterm")).isFalse();
    assertThat(coloured(false, "CLICOLOR_FORCE", "1")).isTrue();
    assertThat(coloured(false, "CLICOLOR_FORCE", "0")).isFalse();
  }

  @Test
  void isPlainIfTheUserOrTheTerminalWantsThat() {
    assertThat(coloured(true, "NO_COLOR", "1")).isFalse();
    assertThat(coloured(true, "NO_COLOR", "")).as("empty says nothing").isTrue();
    assertThat(coloured(true, "TERM", "dumb")).isFalse();
  }

  @Test
  void tellsATerminalFromAFile(@TempDir Path folder) throws IOException {
    assertThat(Terminal.isTerminal(folder.resolve("absent"))).isFalse();
    Path log = Files.createFile(folder.resolve("log"));
    Path terminal = Path.of("/dev/pts/7");
    assertThat(Terminal.isTerminal(Files.createSymbolicLink(folder.resolve("1"), terminal)))
        .isTrue();
    assertThat(Terminal.isTerminal(Files.createSymbolicLink(folder.resolve("2"), log))).isFalse();
    assertThat(
            Terminal.isTerminal(Files.createSymbolicLink(folder.resolve("3"), Path.of("pipe:[1]"))))
        .isFalse();
  }

  /** As on a system that has no links. */
  @Test
  void takesForAFileWhatCantBeALink(@TempDir Path folder) throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("a.zip"), Map.of("create", "true"))) {
      assertThat(Terminal.isTerminal(zip.getPath("/proc/self/fd/2"))).isFalse();
    }
  }
}
