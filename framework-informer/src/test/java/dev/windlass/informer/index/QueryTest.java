// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.selector.Selector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class QueryTest {

  private static final Query ALL = Query.ALL;

  private final Store<ConfigMap> store = Store.create();

  @BeforeEach
  void fill() {
    store.addIndex("v", Labelled::values);
    store.addIndex("name", object -> List.of(object.key().name()));
    store.put(Labelled.object("n", "a", 1, "x"));
    store.put(Labelled.object("n", "b", 1, "x.y"));
    store.put(Labelled.object("m", "a", 1, "y"));
    store.put(Labelled.object("m", "c", 1, ""));
    store.put(Labelled.object("", "d", 1, "y"));
  }

  /** The text of the query, and the keys that it finds. */
  record Case(Query query, String text, List<String> found) {

    static Case of(Query query, String text, String... found) {
      return new Case(query, text, List.of(found));
    }
  }

  static Stream<Case> queries() {
    return Stream.of(
        Case.of(ALL, "all", "d", "m/a", "m/c", "n/a", "n/b"),
        Case.of(ALL.inNamespace("n"), "namespace 'n'", "n/a", "n/b"),
        Case.of(ALL.inNamespace(""), "all", "d", "m/a", "m/c", "n/a", "n/b"),
        Case.of(ALL.inNamespace("none"), "namespace 'none'"),
        Case.of(ALL.inNamespace("n").inNamespace("m"), "namespace 'n', namespace 'm'"),
        Case.of(ALL.withIndex("v", "y"), "v 'y'", "d", "m/a", "n/b"),
        Case.of(ALL.withIndex("v", "y").withIndex("v", "x"), "v 'y', v 'x'", "n/b"),
        Case.of(ALL.withIndex("v", "y").withIndex("v", "y"), "v 'y', v 'y'", "d", "m/a", "n/b"),
        Case.of(ALL.withIndex("v", "y").withIndex("name", "a"), "v 'y', name 'a'", "m/a"),
        Case.of(ALL.withIndex("v", "x").inNamespace("m"), "v 'x', namespace 'm'"),
        Case.of(labels("v=y"), "labels 'v=y'", "d", "m/a"),
        Case.of(labels("v!=y,v!="), "labels 'v!=,v!=y'", "n/a", "n/b"),
        Case.of(labels("v").withLabels(Selector.parse("v=x")), "labels 'v,v=x'", "n/a"),
        Case.of(
            labels("v!=y").inNamespace("m").withIndex("name", "c"),
            "namespace 'm', name 'c', labels 'v!=y'",
            "m/c"));
  }

  private static Query labels(String selector) {
    return ALL.withLabels(Selector.parse(selector));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void findsWhatMeetsAllRequirements(Case expected) {
    assertThat(store.list(expected.query()).stream().map(object -> object.key().toString()))
        .containsExactlyInAnyOrderElementsOf(expected.found());
    assertThat(expected.query()).hasToString(expected.text());
  }

  @Test
  void refusesIndicesThatDoNotExist() {
    for (Query query : List.of(ALL, ALL.inNamespace("none"), ALL.withIndex("v", "none"))) {
      assertThatThrownBy(() -> store.list(query.withIndex("w", "x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'w'")
          .hasMessageContaining("[namespace, v, name]");
    }
  }

  @Test
  void isAValue() {
    Query query = labels("a,b").inNamespace("n").withIndex("v", "x");
    assertThat(query)
        .isEqualTo(labels("b,a").inNamespace("n").withIndex("v", "x"))
        .hasSameHashCodeAs(labels("b,a").inNamespace("n").withIndex("v", "x"))
        .isNotEqualTo(labels("a").inNamespace("n").withIndex("v", "x"))
        .isNotEqualTo(labels("a,b").inNamespace("n"));
  }
}
