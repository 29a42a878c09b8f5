// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The program's switches. */
final class TenantProgramTest {

  /** It has no webhooks, and so no port for them: CEL does their work. */
  @Test
  void hasTheSwitchesAndDefaultsOfTheOriginal() {
    String help = new TenantOperator().commandLine().getUsageMessage();
    assertThat(help.lines().map(String::strip))
        .containsSubsequence(
            "--metrics-bind-address=ADDRESS",
            "Default: :8080. Also --metrics-addr.",
            "--health-probe-bind-address=ADDRESS",
            "Default: :9090.");
    assertThat(help.replaceAll("\\s+", " "))
        .contains("Default: false, Lease 27475f02.example.com. Also --enable-leader-election.");
  }
}
