// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SelectorTest {

  private static final String LONG = "a".repeat(63);

  /** Which of the labels {@code a=x}, {@code a=y}, {@code a=} and none at all are matched. */
  record Case(
      String selector, String canonical, boolean x, boolean y, boolean empty, boolean none) {}

  static Stream<Case> selectors() {
    return Stream.of(
        new Case("", "", true, true, true, true),
        new Case(" \t\r\n", "", true, true, true, true),
        new Case("a=x", "a=x", true, false, false, false),
        new Case("a==x", "a=x", true, false, false, false),
        new Case(" a = x ", "a=x", true, false, false, false),
        new Case("a=", "a=", false, false, true, false),
        new Case("a=,a", "a,a=", false, false, true, false),
        new Case("a!=x", "a!=x", false, true, true, true),
        new Case("a!=", "a!=", true, true, false, true),
        new Case("a in (x)", "a=x", true, false, false, false),
        new Case("a in (y,x,y)", "a in (x,y)", true, true, false, false),
        new Case("a in( x , y )", "a in (x,y)", true, true, false, false),
        new Case("a in ()", "a=", false, false, true, false),
        new Case("a in (,x)", "a in (,x)", true, false, true, false),
        new Case("a in (x,)", "a in (,x)", true, false, true, false),
        new Case("a notin (x,y)", "a notin (x,y)", false, false, true, true),
        new Case("a notin (x)", "a!=x", false, true, true, true),
        new Case("a notin ()", "a!=", true, true, false, true),
        new Case("a", "a", true, true, true, false),
        new Case("!a", "!a", false, false, false, true),
        new Case("! a", "!a", false, false, false, true),
        new Case("a,a=x", "a,a=x", true, false, false, false),
        new Case("a!=y,a in (x,y)", "a in (x,y),a!=y", true, false, false, false),
        new Case("a=x,a=x", "a=x", true, false, false, false),
        new Case("a=x,!b", "a=x,!b", true, false, false, false),
        new Case("b,a=x", "a=x,b", false, false, false, false),
        // Only where an operator is expected are these operators.
        new Case("in notin (in,notin)", "in notin (in,notin)", true, true, true, true),
        new Case("a!=in,notin!=in", "a!=in,notin!=in", true, true, true, true),
        new Case("k8s.io/a!=x", "k8s.io/a!=x", true, true, true, true));
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void matchesAsTheApiServerDoes(Case expected) {
    Selector selector = Selector.parse(expected.selector());
    assertThat(selector.matches(Map.of("a", "x"))).as("a=x").isEqualTo(expected.x());
    assertThat(selector.matches(Map.of("a", "y"))).as("a=y").isEqualTo(expected.y());
    assertThat(selector.matches(Map.of("a", ""))).as("a=").isEqualTo(expected.empty());
    assertThat(selector.matches(Map.of())).as("none").isEqualTo(expected.none());
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void hasOneTextForOneMeaning(Case expected) {
    Selector selector = Selector.parse(expected.selector());
    assertThat(selector).hasToString(expected.canonical());
    assertThat(Selector.parse(expected.canonical())).isEqualTo(selector);
    assertThat(Selector.parse(expected.canonical())).hasSameHashCodeAs(selector);
  }

  @ParameterizedTest
  @CsvSource({
    "n>5, 6, true",
    "n>5, 5, false",
    "n<5, 4, true",
    "n<5, 5, false",
    "n < 5, x, false",
    "n>5, '', false"
  })
  void comparesNumbers(String selector, String value, boolean matches) {
    assertThat(Selector.parse(selector).matches(Map.of("n", value))).isEqualTo(matches);
    assertThat(Selector.parse(selector).matches(Map.of())).isFalse();
    assertThat(Selector.parse(selector)).hasToString(selector.replace(" ", ""));
  }

  record Bad(String selector, int character, String problem) {}

  static Stream<Bad> badSelectors() {
    return Stream.of(
        new Bad(",", 1, "expected the key of a label, found ','"),
        new Bad("a,", 3, "expected the key of a label, found the end"),
        new Bad("a,,b", 3, "expected the key of a label, found ','"),
        new Bad("!", 2, "expected the key of a label, found the end"),
        new Bad("=x", 1, "expected the key of a label, found '='"),
        new Bad("!=x", 2, "expected the key of a label, found '='"),
        new Bad("!a=x", 3, "expected ',' or the end, found '='"),
        new Bad("!!a", 2, "expected the key of a label, found '!'"),
        new Bad("a b", 3, "expected one of =, ==, !=, >, <, in, notin, found 'b'"),
        new Bad("a! =b", 2, "expected one of"),
        new Bad("a IN (x)", 3, "expected one of"),
        new Bad("a === x", 5, "expected ',' or the end, found '='"),
        new Bad("a=x y", 5, "expected ',' or the end, found 'y'"),
        new Bad("a=(x)", 3, "expected ',' or the end, found '('"),
        new Bad("a in x", 6, "expected '(', found 'x'"),
        new Bad("a in", 5, "expected '(', found the end"),
        new Bad("a in (x", 8, "expected ',' or ')', found the end"),
        new Bad("a in (x y)", 9, "expected ',' or ')', found 'y'"),
        new Bad("a in (x))", 9, "expected ',' or the end, found ')'"),
        new Bad("a=x,-b", 5, "the key '-b' must consist of"),
        new Bad("/b", 1, "the prefix of the key '/b' is not a DNS subdomain"),
        new Bad("K8s.io/b", 1, "not a DNS subdomain"),
        new Bad("k8s..io/b", 1, "not a DNS subdomain"),
        new Bad("k8s.io/b/c", 1, "the key 'k8s.io/b/c' must"),
        new Bad("k8s.io/", 1, "the key 'k8s.io/' must"),
        new Bad(LONG + "a", 1, "a key must have at most 63 characters"),
        new Bad("d".repeat(254) + "/b", 1, "at most 253 characters"),
        new Bad("a=" + LONG + "a", 3, "a value must have at most 63 characters"),
        new Bad("a in (x, -y)", 10, "the value '-y' must"),
        new Bad("a=x/y", 3, "the value 'x/y' must"),
        new Bad("a=é", 3, "the value 'é' must"),
        new Bad("a>x", 3, "'x' is not an integer"),
        new Bad("a>", 3, "'' is not an integer"),
        new Bad("a<99999999999999999999", 3, "is not an integer"));
  }

  @ParameterizedTest
  @MethodSource("badSelectors")
  void quotesWhatItRefusesAndSaysWhereItGoesWrong(Bad bad) {
    assertThatThrownBy(() -> Selector.parse(bad.selector()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a label selector: '" + bad.selector() + "': ")
        .hasMessageContaining("at character " + bad.character() + ": ")
        .hasMessageContaining(bad.problem());
  }

  @Test
  void takesNamesOfFullLength() {
    String key = "d".repeat(253) + "/" + LONG;
    assertThat(Selector.parse(key + "=" + LONG).matches(Map.of(key, LONG))).isTrue();
  }

  @Test
  void refusesAnEndlessNameInShortTime() {
    String name = "a.".repeat(500_000) + "/b";
    assertThatThrownBy(() -> Selector.parse(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void takesOverSelectorsOfTheApi() {
    var selector =
        new LabelSelectorBuilder()
            .addToMatchLabels("app", "nginx")
            .addToMatchExpressions(new LabelSelectorRequirement("a", "In", List.of("y", "x")))
            .addToMatchExpressions(new LabelSelectorRequirement("b", "NotIn", List.of("z")))
            .addToMatchExpressions(new LabelSelectorRequirement("c", "Exists", List.of()))
            .addToMatchExpressions(new LabelSelectorRequirement("d", "DoesNotExist", List.of()))
            .build();
    assertThat(Selector.of(selector)).hasToString("a in (x,y),app=nginx,b!=z,c,!d");
    assertThat(Selector.of(new LabelSelectorBuilder().build())).isEqualTo(Selector.everything());
  }

  @Test
  void refusesSelectorsThatTheApiServerWouldRefuse() {
    record Wrong(String key, String operator, List<String> values, String problem) {}
    for (Wrong wrong :
        List.of(
            new Wrong("a", "Gt", List.of("1"), "the operator 'Gt' is not one of In,"),
            new Wrong("a", "In", List.of(), "the requirement on 'a' must have values"),
            new Wrong("a", "NotIn", List.of(), "must have values"),
            new Wrong("a", "Exists", List.of("x"), "must have no values"),
            new Wrong("a", "DoesNotExist", List.of("x"), "must have no values"),
            new Wrong("-a", "Exists", List.of(), "the key '-a' must"),
            new Wrong("a", "In", List.of("x", "-y"), "the value '-y' must"))) {
      var selector =
          new LabelSelectorBuilder()
              .addToMatchExpressions(
                  new LabelSelectorRequirement(wrong.key(), wrong.operator(), wrong.values()))
              .build();
      assertThatThrownBy(() -> Selector.of(selector))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("not a label selector: '" + selector + "': ")
          .hasMessageContaining(wrong.problem());
    }
  }

  @Test
  void joinsTheRequirementsOfTwo() {
    Selector both = Selector.parse("b,a").and(Selector.parse("c!=x,a"));
    assertThat(both).isEqualTo(Selector.parse("a,b,c!=x"));
    assertThat(both.and(Selector.everything())).isEqualTo(both);
  }
}
