// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CanonicalQuantityTest {

  /** The right column is the output of {@code resource.Quantity} of apimachinery 0.34.4. */
  @ParameterizedTest
  @CsvSource({
    "1000m, 1", "0.5, 500m", ".5, 500m", "1.5, 1500m", "1500m, 1500m",
    "1000, 1k", "1000000, 1M", "1024Mi, 1Gi", "1048576Ki, 1Gi", "1.5Gi, 1536Mi",
    "1025Mi, 1025Mi", "2000Gi, 2000Gi", "1048576, 1048576", "0.1Gi, 107374182400m", "0.5Ki, 512",
    "1.1Ki, 1126400m", "1e3, 1e3", "1e-1, 100e-3", "5e20, 500e18", "1000e18, 1e21",
    "-1000m, -1", "00, 0", "0m, 0", "0.1n, 1n", "1000u, 1m",
    "8Ei, 9223372036854775807", "-9Ei, -9223372036854775807",
  })
  void isTheNotationOfTheServer(String text, String canonical) {
    assertThat(CanonicalQuantity.of(text)).isEqualTo(canonical);
  }

  /** Go takes these texts for canonical. */
  @ParameterizedTest
  @ValueSource(strings = {"1.500", "1.234", "+1", "1E3", "1.G"})
  void keepsWhatTheServerKeeps(String text) {
    assertThat(CanonicalQuantity.of(text)).isEqualTo(text);
  }

  @Test
  void keepsWhatIsNoQuantity() {
    assertThat(CanonicalQuantity.of("")).isEmpty();
    assertThat(CanonicalQuantity.of(".")).isEqualTo(".");
    assertThat(CanonicalQuantity.of("1Q")).isEqualTo("1Q");
    assertThat(CanonicalQuantity.of("12e")).isEqualTo("12e");
  }
}
