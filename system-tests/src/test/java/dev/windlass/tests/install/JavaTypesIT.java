// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import dev.windlass.testing.junit.RealKubernetes;
import java.math.BigDecimal;
import java.util.stream.Stream;

@RealKubernetes
final class JavaTypesIT extends JavaTypesContract {

  /** The real server stores numbers with a fraction as 64-bit floats. */
  static Stream<Case> cases() throws Exception {
    BigDecimal precise = new BigDecimal("12345678901234567890.123");
    return Stream.concat(
        JavaTypesContract.cases(), Stream.of(new Case("bigDecimal", precise, Outcome.SIMILAR)));
  }
}
