// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chart's JAVA_TOOL_OPTIONS replaces that of the image, so each image has the flags of the
 * chart. A JVM does not start if its entry point names another collector.
 */
final class ImageFlagsTest {

  private static final String ARCHETYPE =
      "windlass-archetype/src/main/resources/archetype-resources/";

  private static final Pattern CHART = Pattern.compile("\njavaToolOptions: >-\n  (.*)\n");
  private static final Pattern IMAGE =
      Pattern.compile("ENV JAVA_TOOL_OPTIONS=\"(.*)\"|<JAVA_TOOL_OPTIONS>(.*)</JAVA_TOOL_OPTIONS>");
  private static final Pattern ENTRY_POINT = Pattern.compile("ENTRYPOINT \\[((?s:.*?))\\]\n");

  private static String text(String file) throws IOException {
    return Files.readString(Checkout.root().resolve(file));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "examples/foo/Dockerfile",
        "examples/hello/Dockerfile",
        "examples/tenant/Dockerfile",
        "examples/versions/Dockerfile",
        ARCHETYPE + "Dockerfile",
        ARCHETYPE + "pom.xml",
        "docs/guides/images.md"
      })
  void anImageHasTheFlagsOfTheChart(String file) throws IOException {
    Matcher chart =
        CHART.matcher(
            text("framework-cli/src/main/resources/dev/windlass/cli/install/chart/values.yaml"));
    assertThat(chart.find()).isTrue();
    assertThat(IMAGE.matcher(text(file)).results())
        .extracting(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .containsExactly(chart.group(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "examples/foo/Dockerfile",
        "examples/hello/Dockerfile",
        "examples/tenant/Dockerfile",
        "examples/versions/Dockerfile",
        ARCHETYPE + "Dockerfile"
      })
  void anEntryPointHasNoFlagsThatTheChartSets(String file) throws IOException {
    assertThat(ENTRY_POINT.matcher(text(file)).results())
        .singleElement()
        .extracting(found -> found.group(1).replaceAll("[\\\\\\s\",]+", " ").strip())
        .asString()
        .matches(
            "java -Xlog:all=off:stdout -Xlog:all=warning:stderr"
                + " -XX:SharedArchiveFile=/app/\\w+\\.jsa -jar /app/\\S+\\.jar");
  }
}
