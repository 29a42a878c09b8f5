// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chart's JAVA_TOOL_OPTIONS replaces that of the image, so each image has the flags of the
 * chart. A JVM does not start if its entry point names another collector.
 */
final class ImageFlagsTest {

  private static final String ARCHETYPE =
      "windlass-archetype/src/main/resources/archetype-resources/";

  private static final String VALUES =
      "framework-cli/src/main/resources/dev/windlass/cli/install/chart/values.yaml";

  /** What a process with webhooks and three controllers was seen to need beside its heap. */
  private static final long REST_MIB = 130;

  private static final Pattern HEAP = Pattern.compile(" MaxHeapSize += (\\d+) ");
  private static final Pattern LIMIT = Pattern.compile("limits:\n    memory: (\\d+)Mi\n");
  private static final Pattern CHART = Pattern.compile("\njavaToolOptions: >-\n  (.*)\n");
  private static final Pattern IMAGE =
      Pattern.compile("ENV JAVA_TOOL_OPTIONS=\"(.*)\"|<JAVA_TOOL_OPTIONS>(.*)</JAVA_TOOL_OPTIONS>");
  private static final Pattern ENTRY_POINT = Pattern.compile("ENTRYPOINT \\[((?s:.*?))\\]\n");

  private static String text(String file) throws IOException {
    return Files.readString(Checkout.root().resolve(file));
  }

  /** A JVM takes more than its share in some small containers, such as 126 of 256 MiB for 45 %. */
  @Test
  void theHeapAndTheRestLeave15PercentOfTheMemoryLimitFree() throws Exception {
    String values = text(VALUES);
    Matcher limit = LIMIT.matcher(values);
    Matcher flags = CHART.matcher(values);
    assertThat(limit.find() && flags.find()).isTrue();
    long container = Long.parseLong(limit.group(1));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags.group(1).split(" ")));
    command.addAll(List.of("-XX:MaxRAM=" + container + "m", "-XX:+PrintFlagsFinal", "-version"));
    Process process = new ProcessBuilder(command).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher heap = HEAP.matcher(printed);
    assertThat(heap.find()).as(printed).isTrue();
    long used = (Long.parseLong(heap.group(1)) >> 20) + REST_MIB;
    assertThat(used).as("MiB of %d", container).isLessThanOrEqualTo(container * 85 / 100);
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
    Matcher chart = CHART.matcher(text(VALUES));
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
