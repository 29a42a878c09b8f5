// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import static dev.windlass.webhook.conversion.review.Reviews.json;
import static dev.windlass.webhook.conversion.review.Reviews.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ThreeWayMergeTest {

  private record Case(String name, String base, String ours, String theirs, String merged) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Case> cases() {
    return Stream.of(
        new Case("no change", "{'a':1}", "{'a':1}", "{'a':1}", "{'a':1}"),
        new Case("our change", "{'a':1}", "{'a':2}", "{'a':1}", "{'a':2}"),
        new Case("their change", "{'a':1}", "{'a':1}", "{'a':2}", "{'a':2}"),
        new Case("both change", "{'a':1}", "{'a':2}", "{'a':3}", "{'a':2}"),
        new Case("fields apart", "{'a':1}", "{'a':2}", "{'a':1,'b':3}", "{'a':2,'b':3}"),
        new Case("we remove", "{'a':1,'b':1}", "{'b':1}", "{'a':1,'b':2}", "{'b':2}"),
        new Case("they remove", "{'a':1,'b':1}", "{'a':1,'b':2}", "{'b':1}", "{'b':2}"),
        new Case("we remove a parent", "{'a':{}}", "{}", "{'a':{'b':1}}", "{}"),
        new Case("we add an element", "[1,2]", "[1,2,3]", "[7,8]", "[7,8,3]"),
        new Case("we remove an element", "[1,2]", "[2]", "[7,8]", "[8]"),
        new Case("equal elements", "[1,1]", "[0,1,1]", "[7,8]", "[0,8,7]"),
        new Case("lists of other lengths", "[1]", "[2]", "[7,8]", "[2]"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void takesBothChanges(Case one) throws IOException {
    assertThat(
            ThreeWayMerge.merge(read(json(one.base)), read(json(one.ours)), read(json(one.theirs))))
        .isEqualTo(read(json(one.merged)));
  }
}
