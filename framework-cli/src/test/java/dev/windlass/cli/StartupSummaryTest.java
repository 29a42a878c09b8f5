// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.diagnosis.LeaseDiagnosis;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a program says of itself. */
final class StartupSummaryTest {

  @Test
  void saysOfWhatItIsMade() {
    assertThat(new BuildVersions("2.1").line("foo"))
        .matches("foo 2\\.1, with Windlass \\S+, fabric8 client 7\\.\\S+, Java \\d\\S+");
  }

  /** As in a program that runs from its classes, without a jar. */
  @Test
  void saysNothingOfAVersionThatIsUnknown() {
    assertThat(new BuildVersions(Program.named("foo").versionOf(getClass())).line("foo"))
        .startsWith("foo, with Windlass ");
    assertThat(Program.named("foo").version("7").versionOf(getClass())).isEqualTo("7");
  }

  @Test
  void saysWhereItsServerIsAndWhatThatIs() {
    assertThat(StartupSummary.server("https://host/", Optional.of("v1.34.4")))
        .isEqualTo("The API server is https://host/, Kubernetes v1.34.4");
    assertThat(StartupSummary.server("https://host/", Optional.empty()))
        .isEqualTo("The API server is https://host/, version not known yet");
  }

  @Test
  void saysWhoLeads() {
    LeaseDiagnosis lease =
        new LeaseDiagnosis("shop/lease", "me", false, 0, Optional.empty(), Optional.empty());
    assertThat(StartupSummary.election(List.of(lease)))
        .isEqualTo("Replicas compete for the Lease shop/lease; this one is me");
    assertThat(StartupSummary.election(List.of()))
        .isEqualTo("Leader election is off: run one replica only");
  }
}
