// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ApiExceptionTest {

  record Case(ApiException made, int code, String reason) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case(new ConflictException("why"), 409, "Conflict"),
        new Case(new AlreadyExistsException("why"), 409, "AlreadyExists"),
        new Case(new NotFoundException("why"), 404, "NotFound"),
        new Case(new ForbiddenException("why"), 403, "Forbidden"),
        new Case(new InvalidException("why"), 422, "Invalid"),
        new Case(new TooManyRequestsException("why", Duration.ZERO), 429, "TooManyRequests"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void looksAsOneThatAServersAnswerLedTo(Case one) {
    assertThat(one.made()).hasMessage("why");
    assertThat(one.made().getCode()).isEqualTo(one.code());
    assertThat(one.made().getStatus().getReason()).isEqualTo(one.reason());
    assertThat(one.made().getStatus().getCode()).isEqualTo(one.code());
  }
}
