// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CertificateValidityTest {

  @Test
  void hasDefaultsThatItAccepts() {
    assertThat(CertificateValidity.DEFAULT.serving()).isEqualTo(Duration.ofDays(90));
  }

  @Test
  void rejectsCertificatesThatAnOutageOutlasts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateValidity.of(Duration.ofDays(1), Duration.ofMinutes(59)))
        .withMessageContaining("59 min")
        .withMessageContaining("at least 1 h");
  }

  @Test
  void rejectsACaThatDoesNotOutlastItsCertificates() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateValidity.of(Duration.ofDays(2), Duration.ofDays(1)))
        .withMessageContaining("at least three times");
  }

  @Test
  void rejectsACaForever() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateValidity.of(Duration.ofDays(36_500), Duration.ofDays(1)))
        .withMessageContaining("3,650 days");
  }
}
