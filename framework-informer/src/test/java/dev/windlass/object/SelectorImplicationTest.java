// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.selector.FieldSelector;
import dev.windlass.object.selector.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a selector proves about another one, which decides what a narrowed cache may answer. */
final class SelectorImplicationTest {

  private static final List<String> PARTS =
      List.of(
          "a",
          "!a",
          "a=1",
          "a=5",
          "a=",
          "a in (1,5)",
          "a in (1,x)",
          "a!=1",
          "a!=x",
          "a notin (1,5)",
          "a notin (1,5,x)",
          "a>1",
          "a>3",
          "a<5",
          "a<9",
          "b",
          "!b",
          "b=1",
          "b!=1");

  private static final List<String> VALUES = List.of("", "0", "1", "3", "4", "5", "8", "9", "x");

  private static List<Map<String, String>> labels() {
    List<Map<String, String>> all = new ArrayList<>();
    for (int a = -1; a < VALUES.size(); a++) {
      for (int b = -1; b < VALUES.size(); b++) {
        Map<String, String> labels = new HashMap<>();
        if (a >= 0) {
          labels.put("a", VALUES.get(a));
        }
        if (b >= 0) {
          labels.put("b", VALUES.get(b));
        }
        all.add(labels);
      }
    }
    return all;
  }

  /** Each pair and triple of requirements, against every set of labels there can be. */
  @Test
  void neverClaimsWhatSomeLabelsRefute() {
    List<Map<String, String>> all = labels();
    int proved = 0;
    for (String one : PARTS) {
      for (String two : PARTS) {
        Selector narrow = Selector.parse(one + "," + two);
        for (String three : PARTS) {
          Selector wide = Selector.parse(three);
          if (narrow.implies(wide)) {
            proved++;
            assertThat(all.stream().filter(narrow::matches))
                .as("%s implies %s", narrow, wide)
                .allMatch(wide::matches);
          }
        }
      }
    }
    assertThat(proved).isGreaterThan(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app=web                | ''                  | true",
        "''                     | app=web             | false",
        "app=web                | app=web             | true",
        "app=web,tier=front     | app=web             | true",
        "app=web                | app=web,tier=front  | false",
        "app=web                | app in (web,db)     | true",
        "app in (web,db)        | app=web             | false",
        "app=web                | app                 | true",
        "app                    | app=web             | false",
        "app=web                | app!=db             | true",
        "!app                   | app!=db             | true",
        "!app                   | app                 | false",
        "app notin (db,web)     | app!=db             | true",
        "app!=db                | app notin (db,web)  | false",
        "n>5                    | n>3                 | true",
        "n>3                    | n>5                 | false",
        "n>5                    | n!=4                | true",
        "n>5                    | n                   | true",
        "n=7                    | n>5                 | true",
      })
  void provesWhatARequirementSays(String narrow, String wide, boolean implies) {
    assertThat(Selector.parse(narrow).implies(Selector.parse(wide))).isEqualTo(implies);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metadata.name=a                        | true",
        "metadata.name!=a                       | false",
        "metadata.namespace==here               | true",
        "metadata.name=a,metadata.namespace=x   | false",
        "spec.nodeName=n                        | unknown",
        "metadata.name=a,spec.nodeName=n        | unknown",
        "metadata.name=b,spec.nodeName=n        | false",
        "metadata.name=a\\,b                    | unknown",
        "''                                     | true",
      })
  void knowsOfFieldsWhatTheKeyTells(String selector, String selects) {
    Optional<Boolean> known = FieldSelector.parse(selector).matches(ObjectKey.of("here", "a"));
    assertThat(known.map(String::valueOf).orElse("unknown")).isEqualTo(selects);
  }

  @Test
  void takesFieldSelectorsOfTheSameRequirementsForOne() {
    FieldSelector one = FieldSelector.parse("spec.nodeName=n,metadata.name!=a");
    assertThat(one).isEqualTo(FieldSelector.parse("metadata.name!=a, spec.nodeName==n"));
    assertThat(one).isNotEqualTo(FieldSelector.parse("spec.nodeName=n"));
    assertThat(FieldSelector.parse("a=b\\,c")).isNotEqualTo(FieldSelector.parse("a=b"));
    assertThat(FieldSelector.parse("").isEmpty()).isTrue();
  }
}
