// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

  @Test
  void runsTheUsualScenariosThreeTimesByDefault() {
    Options options = Options.parse();
    assertThat(options.scenarios())
        .containsExactlyInAnyOrder(
            Scenario.SYNC, Scenario.CONVERGE, Scenario.RESTART, Scenario.LATENCY);
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.objects(Scenario.SYNC)).containsExactly(1_000, 20_000);
  }

  @Test
  void runsEverythingIfItIsAskedTo() {
    Options options = Options.parse("--full");
    assertThat(options.scenarios()).containsExactlyInAnyOrder(Scenario.values());
    assertThat(options.objects(Scenario.SYNC)).containsExactly(1_000, 20_000, 100_000);
    assertThat(options.objects(Scenario.IDLE)).containsExactly(1, 100);
    assertThat(Options.parse("--scenarios", "idle").objects(Scenario.IDLE)).containsExactly(1, 100);
  }

  @Test
  void runsTheScenariosOnceInWhichAllProgramsRunTogether() {
    Options options = Options.parse("--full");
    assertThat(options.rounds(Scenario.IDLE)).isOne();
    assertThat(options.rounds(Scenario.SOAK)).isOne();
    assertThat(options.rounds(Scenario.STORM)).isEqualTo(3);
  }

  @Test
  void skipsRowsByATextInTheirTitles() {
    Options options = Options.parse("--skip", "JDK 25,archive");
    assertThat(options.skips("windlass, JDK 25")).isTrue();
    assertThat(options.skips("windlass, flags and archive of the images")).isTrue();
    assertThat(options.skips("windlass")).isFalse();
  }

  @Test
  void limitsTheObjectsWithoutRepeatingANumber() {
    assertThat(Options.parse("--objects", "500").objects(Scenario.SYNC)).containsExactly(500);
  }

  @Test
  void keepsTheChosenScenariosOfAQuickRun() {
    assertThat(Options.parse("--quick").scenarios())
        .containsExactlyInAnyOrder(Scenario.SYNC, Scenario.CONVERGE, Scenario.RESTART);
    assertThat(Options.parse("--scenarios", "latency", "--quick").scenarios())
        .containsExactly(Scenario.LATENCY);
  }

  @Test
  void namesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Options.parse("--fast")).hasMessageContaining("--fast");
    assertThatThrownBy(() -> Options.parse("--peers", "nobody")).hasMessageContaining("nobody");
    assertThatThrownBy(() -> Options.parse("--scenarios", "sleep")).hasMessageContaining("sleep");
    assertThatThrownBy(() -> Options.parse("--rounds", "x")).hasMessageContaining("--rounds");
    assertThatThrownBy(() -> Options.parse("--rounds")).hasMessageContaining("--rounds");
    assertThatThrownBy(() -> Options.parse("--profile", "no.so")).hasMessageContaining("no.so");
  }

  @Test
  void neverMixesTheSlowerRunsOfAProfileWithResults(@TempDir Path directory) throws IOException {
    String library = Files.createFile(directory.resolve("libasyncProfiler.so")).toString();
    assertThat(Options.parse("--profile", library).profile()).isPresent();
    for (String other : List.of("--resume", "--write-docs")) {
      assertThatThrownBy(() -> Options.parse("--profile", library, other))
          .hasMessageContaining("--profile");
    }
  }
}
