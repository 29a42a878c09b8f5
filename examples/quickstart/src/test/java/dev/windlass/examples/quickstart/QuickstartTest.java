// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the README begins with works, and is what stands there. */
final class QuickstartTest {

  private static final Path README = Path.of("..", "..", "README.md");

  private static final Path SOURCE =
      Path.of("src/main/java/dev/windlass/examples/quickstart/Quickstart.java");

  private static void assertGreeting(ReconcilerTest test, String text) {
    test.assertEventuallyStable();
    ConfigMap map = test.get(ConfigMap.class, "default", "first").orElseThrow();
    assertThat(map.getData()).containsEntry("greeting", text);
  }

  @Test
  void keepsTheConfigMapAsTheGreetingAsks() throws IOException {
    try (ReconcilerTest test = ReconcilerTest.of(Quickstart::register).install(Greeting.class)) {
      Greeting first =
          Serialization.unmarshal(Files.readString(Path.of("greeting.yaml")), Greeting.class);
      first.getMetadata().setNamespace("default");
      test.create(first);
      assertGreeting(test, "Hello, reader!");

      test.edit(ConfigMap.class, "default", "first", map -> map.getData().put("greeting", "Go!"));
      test.edit(ConfigMap.class, "default", "first", map -> map.getData().put("other", "stays"));
      assertGreeting(test, "Hello, reader!");
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("other", "stays");

      test.delete(ConfigMap.class, "default", "first");
      assertGreeting(test, "Hello, reader!");

      int writes = test.writes().size();
      test.edit(
          Greeting.class,
          "default",
          "first",
          g -> g.getMetadata().setAnnotations(Map.of("a", "b")));
      assertGreeting(test, "Hello, reader!");
      assertThat(test.writes()).as("what stays as it is is written once").hasSize(writes);

      test.edit(Greeting.class, "default", "first", g -> g.getSpec().setName("writer"));
      assertGreeting(test, "Hello, writer!");

      test.delete(Greeting.class, "default", "first");
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first")).isEmpty();
    }
  }

  @Test
  void isAtMost40LinesLong() throws IOException {
    assertThat(Files.readAllLines(SOURCE)).hasSizeLessThanOrEqualTo(40);
  }

  /** Apart from the licence, and from how lines are broken. */
  @Test
  void isTheFirstCodeOfTheReadme() throws IOException {
    String readme = Files.readString(README);
    String shown = readme.split("```java\n", 2)[1].split("```", 2)[0];
    List<String> source = Files.readAllLines(SOURCE);
    assertThat(shown)
        .isEqualToIgnoringWhitespace(String.join("\n", source.subList(1, source.size())));
    assertThat(readme.indexOf("```")).isEqualTo(readme.indexOf("```java\n"));
  }
}
