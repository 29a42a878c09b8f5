// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FieldErrorTest {

  /** What {@code field.Invalid(path, value, "no").ErrorBody()} returns in Go. */
  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(5, "5"),
        Arguments.of(5L, "5"),
        Arguments.of(5.0, "5"),
        Arguments.of(0.5f, "0.5"),
        Arguments.of(new BigDecimal("1.50"), "1.50"),
        Arguments.of(true, "true"),
        Arguments.of(null, "null"),
        Arguments.of("five", "\"five\""),
        Arguments.of("", "\"\""),
        Arguments.of("a \"b\"\\\n", "\"a \\\"b\\\"\\\\\\n\""),
        Arguments.of(FieldError.Type.INVALID, "\"INVALID\""),
        Arguments.of(List.of("a", 1), "[\"a\",1]"),
        Arguments.of(Map.of("a", 1), "{\"a\":1}"),
        Arguments.of(new LocalObjectReference("x"), "{\"name\":\"x\"}"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void showsValuesAsKubernetesDoes(Object value, String shown) {
    assertThat(FieldError.invalid("spec.size", value, "must be less"))
        .hasToString("spec.size: Invalid value: " + shown + ": must be less");
  }

  @Test
  void hasTheWordsOfKubernetes() {
    assertThat(FieldError.required("spec.a", "")).hasToString("spec.a: Required value");
    assertThat(FieldError.forbidden("spec.a", "is immutable"))
        .hasToString("spec.a: Forbidden: is immutable");
    assertThat(FieldError.duplicate("spec.a[1]", "x"))
        .hasToString("spec.a[1]: Duplicate value: \"x\"");
    assertThat(FieldError.notFound("spec.a", "x")).hasToString("spec.a: Not found: \"x\"");
    assertThat(FieldError.notSupported("spec.a", "x", List.of("y", "z")))
        .hasToString("spec.a: Unsupported value: \"x\": supported values: \"y\", \"z\"");
  }
}
