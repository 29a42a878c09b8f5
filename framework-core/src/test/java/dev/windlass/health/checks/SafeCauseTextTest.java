// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SafeCauseTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Failed to connect to /10.0.0.1:443 | Failed to connect to <address>",
        "Get https://u:p@kube.example.com:6443/api failed | Get <address> failed",
        "connect to api.example.com:6443 timed out | connect to <address> timed out",
        "connect to kubernetes.default.svc/10.96.0.1:443 | connect to <address>",
        "no route to [fe80::1]:443 or fe80::1:2 | no route to <address> or <address>",
        "Bearer abc.def was refused | <token> was refused",
        "token eyJhbGciOi.eyJzdWIi.c2ln is old | token <token> is old",
        "deployments.apps: version 1.2.3 at 12:30:15 | deployments.apps: version 1.2.3 at 12:30:15",
      })
  void showNeitherAddressesNorTokens(String text, String shown) {
    assertThat(SafeCauseText.clean(text)).isEqualTo(shown);
  }

  @Test
  void areOneLineOfBoundedLength() {
    assertThat(SafeCauseText.clean("a\nb\u001b[0m")).isEqualTo("a\\u000ab\\u001b[0m");
    assertThat(SafeCauseText.clean("x".repeat(5_000)))
        .isEqualTo(
            "x".repeat(SafeCauseText.LONGEST / 3)
                + "..."
                + "x".repeat(SafeCauseText.LONGEST * 2 / 3));
  }

  @Test
  void nameTheTypeOfWhatTheProgramThrew() {
    assertThat(SafeCauseText.of(new IllegalStateException("no")))
        .isEqualTo("IllegalStateException: no");
    assertThat(SafeCauseText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    assertThat(SafeCauseText.of(new UnhealthyException("it is red"))).isEqualTo("it is red");
    assertThat(SafeCauseText.of(new UnknownHostException("kube")))
        .isEqualTo("UnknownHostException: <address>");
  }
}
