// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ObjectKey;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RequestTest {

  private record Case(Request request, String namespace, String name, String text) {}

  /** Namespace and name, printed as the key is. */
  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            Request.of("default", "hello-sample"),
            "default",
            "hello-sample",
            "default/hello-sample"),
        new Case(Request.of("tenant-sample"), "", "tenant-sample", "tenant-sample"),
        new Case(Request.of("ns/name").inCluster("east"), "ns", "name", "east:ns/name"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isPrintedAsItsKey(Case c) {
    assertThat(c.request().namespace()).isEqualTo(c.namespace());
    assertThat(c.request().name()).isEqualTo(c.name());
    assertThat(c.request()).hasToString(c.text());
  }

  /** It says which object and nothing else, so equal ones are one. */
  @Test
  void equalsAnotherOfTheSameObject() {
    assertThat(Request.of("a", "b")).isEqualTo(Request.of("a", "b"));
    assertThat(Request.of("a", "b")).hasSameHashCodeAs(Request.of("a", "b"));
    assertThat(Request.of("a", "b")).isNotEqualTo(Request.of("b"));
    assertThat(Request.of("a", "b").inCluster("east"))
        .isNotEqualTo(Request.of("a", "b"))
        .isNotEqualTo(Request.of("a", "b").inCluster("west"))
        .isEqualTo(new Request("east", ObjectKey.of("a/b")));
    assertThat(Request.class.getRecordComponents()).hasSize(2);
  }

  @Test
  void refusesWhatIsNoKey() {
    assertThatThrownBy(() -> Request.of("a/b", "c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a/b");
  }
}
