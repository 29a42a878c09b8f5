// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The promise that this code can be read: the way of one event passes a short list of stations,
 * which {@code docs/architecture.md} names. The helpers of a station are not looked at.
 */
final class EventPathTest {

  private static final int MAX_FILES = 17;
  private static final int MAX_LINES = 3_100;

  private static final Path PAGE = Checkout.root().resolve("docs/architecture.md");

  @Test
  void thePathOfAnEventFitsSeventeenStations() {
    EventPath path = documented();
    int lines = 0;
    for (String file : path.files()) {
      assertThat(Checkout.root().resolve(file)).as("a file listed in %s", PAGE).isRegularFile();
      int count = Checkout.lines(Checkout.root().resolve(file)).size();
      System.out.printf("event path: %4d lines  %s%n", count, file);
      lines += count;
    }
    System.out.printf(
        "event path: %d files of at most %d, %d lines of at most %d, %d packages%n",
        path.files().size(), MAX_FILES, lines, MAX_LINES, path.packages().size());
    assertThat(path.files()).hasSizeLessThanOrEqualTo(MAX_FILES);
    assertThat(lines).as("lines of all files").isLessThanOrEqualTo(MAX_LINES);
  }

  @Test
  void thePathLeavesNoPackageToComeBackLater() {
    assertThat(documented().packages()).doesNotHaveDuplicates();
  }

  @Test
  void thePathLeadsFromTheFeedToTheReconciler() {
    List<String> packages = documented().packages();
    assertThat(packages.get(0)).endsWith("dev/windlass/informer/feed");
    assertThat(packages).anyMatch(folder -> folder.contains("dev/windlass/controller"));
  }

  @Test
  void aPageIsReadLineByLineBetweenItsMarkers() {
    EventPath path =
        EventPath.parse(
            """
            `outside/Before.java`
            <!-- event-path -->

            1. `a/b/One.java` hands on to `a/b/Two.java`
            2. `a/b/Two.java`

               A remark on `Two`.
            3. `c/Three.java`
            4. `a/b/Four.java`
            <!-- /event-path -->
            `outside/After.java`
            """);
    assertThat(path.files())
        .containsExactly("a/b/One.java", "a/b/Two.java", "c/Three.java", "a/b/Four.java");
    assertThat(path.packages()).containsExactly("a/b", "c", "a/b");
  }

  @Test
  void aPageWithoutTheListIsRefused() {
    assertThatThrownBy(() -> EventPath.parse("# Architecture"))
        .hasMessage("the page lacks <!-- event-path --> or <!-- /event-path -->");
    assertThatThrownBy(() -> EventPath.parse(EventPath.START + "\nnothing\n" + EventPath.END))
        .hasMessageContaining("no line with a path");
  }

  private static EventPath documented() {
    return EventPath.parse(String.join("\n", Checkout.lines(PAGE)));
  }
}
