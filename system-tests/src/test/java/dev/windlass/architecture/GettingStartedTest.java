// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The project that {@code docs/getting-started.md} makes, and what other pages add to it, use what
 * this one uses.
 */
final class GettingStartedTest {

  private static final Pattern VERSIONED =
      Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");

  /** Where our own build says which version of an artifact it uses. */
  private static final Map<String, String> PROPERTIES =
      Map.ofEntries(
          entry("logback-classic", "logback.version"),
          entry("junit-jupiter", "junit.version"),
          entry("assertj-core", "assertj.version"),
          entry("awaitility", "awaitility.version"),
          entry("crd-generator-maven-plugin", "crd-generator.version"),
          entry("generator-annotations", "crd-generator.version"),
          entry("micrometer-registry-prometheus", "micrometer.version"),
          entry("maven-compiler-plugin", "maven-compiler-plugin.version"),
          entry("maven-surefire-plugin", "maven-surefire-plugin.version"),
          entry("maven-failsafe-plugin", "maven-surefire-plugin.version"),
          entry("cel", "cel.version"));

  private record Artifact(String name, String version) {}

  private static List<Artifact> artifacts(String pom) {
    List<Artifact> found = new ArrayList<>();
    Matcher matcher = VERSIONED.matcher(text(pom));
    while (matcher.find()) {
      found.add(new Artifact(matcher.group(1), matcher.group(2)));
    }
    return found;
  }

  private static String text(String file) {
    return String.join("\n", Checkout.lines(Checkout.root().resolve(file)));
  }

  private static String property(String name) {
    Matcher matcher = Pattern.compile("<" + name + ">([^<]+)</").matcher(text("pom.xml"));
    assertThat(matcher.find()).as(name).isTrue();
    return matcher.group(1);
  }

  static Stream<Artifact> itsArtifacts() {
    return Stream.of(
            "docs/getting-started/pom.xml",
            "docs/guides/testing.md",
            "docs/operations/metrics.md",
            "docs/guides/conditions.md",
            "docs/guides/crds.md",
            "docs/embedded-server.md")
        .flatMap(page -> artifacts(page).stream())
        .filter(artifact -> !artifact.name().equals("greeting-operator"))
        .filter(artifact -> !artifact.name().equals("maven-dependency-plugin")); // not used here
  }

  @ParameterizedTest
  @MethodSource("itsArtifacts")
  void eachVersionIsOurs(Artifact artifact) {
    String ours =
        artifact.name().matches("framework-.*|windlass-.*")
            ? artifacts("pom.xml").get(0).version()
            : property(PROPERTIES.getOrDefault(artifact.name(), artifact.name() + " is unknown"));
    assertThat(artifact.version()).isEqualTo(ours);
  }

  @Test
  void theTrainingIsThatOfTheExamples() {
    assertThat(training("docs/guides/images.md"))
        .isEqualToIgnoringWhitespace(
            training("examples/pom.xml").replace("${training.phase}", "package"));
  }

  private static String training(String file) {
    String text = text(file);
    int begin = text.indexOf("<id>training</id>");
    return text.substring(begin, text.indexOf("</execution>", begin));
  }
}
