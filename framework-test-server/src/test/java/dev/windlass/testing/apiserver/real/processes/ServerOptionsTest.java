// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerOptionsTest {

  private static final ServerPrograms PROGRAMS = new ServerPrograms(Path.of("programs"));

  @Test
  void refusesAFlagWithoutDashes() {
    assertThatThrownBy(
            () ->
                new ServerOptions(
                    PROGRAMS, true, false, List.of("watch-cache=false"), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("watch-cache=false");
  }

  @Test
  void refusesATimeoutThatIsNotPositive() {
    assertThatThrownBy(() -> new ServerOptions(PROGRAMS, true, false, List.of(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
  }
}
