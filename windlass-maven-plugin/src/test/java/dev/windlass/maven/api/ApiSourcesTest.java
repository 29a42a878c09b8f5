// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of a further type; .ci/archetype compiles and tests them. */
final class ApiSourcesTest {

  private static final ApiSources GADGET =
      new ApiSources("Gadget", "example.com", "com.example.op");

  @Test
  void areThoseOfTheArchetypeWithOtherNames() {
    Map<String, String> files = GADGET.files();
    assertThat(files)
        .containsOnlyKeys(
            "src/main/java/com/example/op/Gadget.java",
            "src/main/java/com/example/op/GadgetSpec.java",
            "src/main/java/com/example/op/GadgetStatus.java",
            "src/main/java/com/example/op/GadgetReconciler.java",
            "src/test/java/com/example/op/GadgetTest.java",
            "src/test/java/com/example/op/GadgetIT.java",
            "config/gadget.yaml");
    assertThat(files.values()).noneMatch(text -> text.contains("${"));
    assertThat(files.get("src/main/java/com/example/op/Gadget.java"))
        .startsWith("package com.example.op;")
        .contains("@Group(\"example.com\")", "class Gadget extends");
  }

  @Test
  void areRegisteredInTheProgram() {
    String program =
        """
        class SomeOperator extends Operator {
          @Override
          protected void registerWith(Manager m) {
            if (true) {
              WebsiteReconciler.register(m, workers());
            }
          }

          void other() {}
        }
        """;
    assertThat(GADGET.registeredIn(program))
        .hasValue(
            program.replace(
                "    }\n  }\n", "    }\n    GadgetReconciler.register(m, workers());\n  }\n"));
    assertThat(GADGET.registeredIn("class Other {}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gadget, example.com", "Gadget, example", "'', example.com", "Gad-get, example.com"})
  void rejectsInvalidNames(String kind, String group) {
    assertThatThrownBy(() -> new ApiSources(kind, group, "p"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The archetype generates the first type of a project, and this plugin all others. */
  @ParameterizedTest
  @ValueSource(strings = {"archetype-post-generate.groovy", "maven/archetype-metadata.xml"})
  void theArchetypeAcceptsTheSameNames(String file) throws IOException {
    assertThat(Path.of("../windlass-archetype/src/main/resources/META-INF", file))
        .content()
        .contains(ApiSources.KIND.pattern(), ApiSources.GROUP.pattern());
  }
}
