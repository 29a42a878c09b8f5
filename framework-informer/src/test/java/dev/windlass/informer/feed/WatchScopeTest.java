// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchScopeTest {

  @Test
  void coversItsNamespaceAndNoOther() {
    assertThat(WatchScope.ALL.covers("")).isTrue();
    assertThat(WatchScope.ALL.covers("a")).isTrue();
    assertThat(WatchScope.namespace("a").covers("a")).isTrue();
    assertThat(WatchScope.namespace("a").covers("b")).isFalse();
    assertThat(WatchScope.namespace("a").covers("")).as("all namespaces").isFalse();
  }

  @Test
  void coversNothingForCertainWhenItSelectsByLabels() {
    assertThat(WatchScope.ALL.withLabels("app=x").covers("a")).isFalse();
  }

  /** It becomes a part of the path of a request. */
  @ParameterizedTest
  @ValueSource(strings = {"a/b", "..", "A", "a b", "a?watch=true", "-a", "a-"})
  void refusesWhatIsNoNamespaceAndNamesIt(String namespace) {
    assertThatThrownBy(() -> WatchScope.namespace(namespace))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + namespace + "'");
  }
}
