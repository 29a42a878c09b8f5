// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** The server would answer 400, again and again. */
  @ParameterizedTest
  @ValueSource(strings = {"a=b=c", "a b", "a in", "=b", "a,,b", "a=é"})
  void refusesWhatIsNoLabelSelectorAndQuotesIt(String selector) {
    assertThatThrownBy(() -> WatchScope.ALL.withLabels(selector))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a label selector: '" + selector + "': ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metadata.name | 'metadata.name' is not one of field=value, field==value, field!=value",
        "a=b,c | 'c' is not one of field=value, field==value, field!=value",
        "=b | '=b' has no field name",
        "!=b | '!=b' has no field name",
        "a=b=c | in the value 'b=c', escape each of \\ , = with a \\, and nothing else",
        "a!==b | in the value '=b', escape each of \\ , = with a \\, and nothing else",
        "a=b\\x | in the value 'b\\x', escape each of \\ , = with a \\, and nothing else",
        "a=b\\ | in the value 'b\\', escape each of \\ , = with a \\, and nothing else"
      })
  void refusesWhatIsNoFieldSelectorAndQuotesIt(String selector, String problem) {
    assertThatThrownBy(() -> WatchScope.ALL.withFields(selector))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a field selector: '" + selector + "': " + problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a=", "a==b", "a!=b,c=d,", "a=b\\,c", "a=\\=\\\\", "any.name[0]=x y"})
  void leavesFieldsToTheServer(String selector) {
    assertThat(WatchScope.ALL.withFields(selector).fieldSelector()).isEqualTo(selector);
  }

  @Test
  void knowsTheNameOfASingleObject() {
    assertThat(WatchScope.namespace("a").named("b").objectName()).contains("b");
    assertThat(WatchScope.ALL.withFields("metadata.name==b,spec.x=y").objectName()).contains("b");
    assertThat(WatchScope.ALL.withFields("metadata.name!=b").objectName()).isEmpty();
    assertThat(WatchScope.ALL.withFields("metadata.namespace=b").objectName()).isEmpty();
    assertThat(WatchScope.ALL.objectName()).isEmpty();
  }
}
