// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promise that this code can be read: the way of one event passes a short list of stations,
 * which {@code docs/architecture.md} names with their helpers; and those are the files that run.
 */
final class EventPathTest {

  private static final int MAX_FILES = 18;

  /** What runs for one event. Lower both with the code, and raise neither: aim at 60 and 900. */
  private static final int MAX_RUN_FILES = 83;

  /** 1,204, and a few that run only if a thread is late on a busy machine. */
  private static final int MAX_RUN_LINES = 1210;

  /**
   * What a program with one controller has loaded after its first events, without the JDK: 1,407.
   */
  private static final int MAX_CLASSES = 1430;

  /** Stations that are interfaces, whose code is the user's or a helper's. */
  private static final Set<String> WITHOUT_CODE = Set.of("EventPredicate", "Reconciler");

  /** Is woken once more by what has started last, whenever that is. */
  private static final Set<String> AFTER_THE_START = Set.of("ControllerRun");

  private static final Path PAGE = Checkout.root().resolve("docs/architecture.md");

  @Test
  void thePathOfAnEventFitsEighteenStations() {
    EventPath path = documented();
    for (String file : path.files()) {
      assertThat(Checkout.root().resolve(file)).as("a file listed in %s", PAGE).isRegularFile();
    }
    assertThat(path.files()).hasSizeLessThanOrEqualTo(MAX_FILES);
  }

  /** Not by counting what is listed, but by watching what runs. */
  @Test
  @Timeout(180)
  @Proves("002-41")
  void eachFileThatRunsIsAStationOrTheHelperOfOne() throws Exception {
    EventPath path = documented();
    List<String> stations = path.files().stream().map(EventPathTest::nameOf).toList();
    assertThat(path.helpers()).as("helpers of one station").doesNotHaveDuplicates();
    assertThat(path.helpers())
        .as("helpers that are stations")
        .doesNotContainAnyElementsOf(stations);

    ExecutedFiles executed = ExecutedFiles.observe();

    Set<String> ran = executed.files().keySet();
    Set<String> names = ran.stream().map(EventPathTest::nameOf).collect(Collectors.toSet());
    assertThat(names).as("two files of one name: %s", ran).hasSameSizeAs(ran);
    System.out.printf(
        "event path: %d stations, %d files, %d lines run for one event%n",
        stations.size(), ran.size(), executed.lines());
    System.out.printf("a started controller: %d classes loaded%n", executed.loaded().size());
    if (Boolean.getBoolean("event.path.print")) {
      executed.loaded().forEach(System.out::println);
      executed.files().forEach((file, lines) -> System.out.printf("%4d %s%n", lines, file));
    }
    assertThat(names).hasSizeLessThanOrEqualTo(MAX_RUN_FILES + AFTER_THE_START.size());
    assertThat(executed.lines()).isBetween(MAX_RUN_LINES / 2, MAX_RUN_LINES);
    assertThat(executed.loaded()).hasSizeBetween(MAX_CLASSES / 2, MAX_CLASSES);
    assertThat(executed.loaded())
        .as("only SOCKS proxies and fabric8's WebSockets need fabric8's transport")
        .noneMatch(name -> name.startsWith("io.vertx.") || name.startsWith("io.netty."));
    Set<String> unnamed = new TreeSet<>(names);
    unnamed.removeAll(stations);
    unnamed.removeAll(AFTER_THE_START);
    unnamed.removeAll(path.helpers());
    assertThat(unnamed).as("run while an event travels, and %s does not name them", PAGE).isEmpty();
    Set<String> idle = new TreeSet<>(path.helpers());
    idle.addAll(stations);
    idle.removeAll(names);
    idle.removeAll(WITHOUT_CODE);
    assertThat(idle).as("named in %s, and do not run while an event travels", PAGE).isEmpty();
  }

  private static String nameOf(String file) {
    return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
  }

  @Test
  void thePathLeavesNoPackageToComeBackLater() {
    assertThat(documented().packages()).doesNotHaveDuplicates();
  }

  @Test
  void thePathLeadsFromTheConnectionToTheReconciler() {
    List<String> packages = documented().packages();
    assertThat(packages.get(0)).endsWith("dev/windlass/client/http");
    assertThat(packages.get(1)).endsWith("dev/windlass/informer/reflector/http");
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
               helpers: `Aid`,
               `Help`
            3. `c/Three.java`
            4. `a/b/Four.java`
            <!-- /event-path -->
            `outside/After.java`
            """);
    assertThat(path.files())
        .containsExactly("a/b/One.java", "a/b/Two.java", "c/Three.java", "a/b/Four.java");
    assertThat(path.helpers()).containsExactly("Aid", "Help");
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
