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
  void acceptsItsLimits() {
    Duration hour = Duration.ofHours(1);
    var longest = new CertificateValidity(Duration.ofDays(3_650), hour, Duration.ZERO);
    assertThat(longest.authority()).hasDays(3_650);
    var shortest = new CertificateValidity(hour.multipliedBy(3), hour, Duration.ZERO);
    assertThat(shortest.serving()).isEqualTo(hour);
  }

  @Test
  void rejectsCertificatesThatAnOutageOutlasts() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CertificateValidity(Duration.ofDays(1), Duration.ofMinutes(59), Duration.ZERO))
        .withMessageContaining("59 min")
        .withMessageContaining("at least 1 h");
  }

  @Test
  void rejectsACaThatDoesNotOutlastItsCertificates() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new CertificateValidity(Duration.ofDays(2), Duration.ofDays(1), Duration.ZERO))
        .withMessageContaining("at least three times");
  }

  @Test
  void rejectsACaForever() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CertificateValidity(Duration.ofDays(36_500), Duration.ofDays(1), Duration.ZERO))
        .withMessageContaining("3,650 days");
  }

  @Test
  void rejectsANegativeDelay() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CertificateValidity(
                    Duration.ofDays(3), Duration.ofDays(1), Duration.ofMinutes(-1)))
        .withMessageContaining("before it is published");
  }
}
