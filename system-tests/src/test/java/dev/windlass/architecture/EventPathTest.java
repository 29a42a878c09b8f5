// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promise that this code can be read: an event passes the stations that {@code
 * docs/architecture.md} lists, in this order.
 */
final class EventPathTest {

  private static final Path PAGE = Checkout.root().resolve("docs/architecture.md");

  /** Stations that are interfaces; the code is the user's. */
  private static final Set<String> WITHOUT_CODE = Set.of("EventPredicate", "Reconciler");

  /** Stations that call the one before them, so that only what they run after it counts. */
  private static final Set<String> CALLERS = Set.of("Reflector", "HandlerLane");

  /** Not by reading, but by watching what runs. {@code -Devent.path.print=true} lists it. */
  @Test
  @Timeout(180)
  @Proves("002-41")
  void anEventPassesTheStationsInOrder() throws Exception {
    List<String> stations = documented().files();
    ExecutedFiles executed = ExecutedFiles.observe();
    System.out.printf(
        "event path: %d stations, %d files, %d lines run for one event%n",
        stations.size(), executed.files().size(), executed.lines());
    System.out.printf("a started controller: %d classes loaded%n", executed.loaded().size());
    if (Boolean.getBoolean("event.path.print")) {
      executed.loaded().forEach(System.out::println);
      executed.files().forEach((file, lines) -> System.out.printf("%4d %s%n", lines, file));
      executed.order().forEach(System.out::println);
    }

    // What the change before left to do may still run until the connection receives this one.
    int begin = executed.order().indexOf(stations.get(0));
    assertThat(begin).as("the first station runs").isNotNegative();
    List<String> order = executed.order().subList(begin, executed.order().size());
    int last = -1;
    for (String station : stations) {
      if (!WITHOUT_CODE.contains(nameOf(station))) {
        int from = CALLERS.contains(nameOf(station)) ? last + 1 : 0;
        int reached = order.subList(from, order.size()).indexOf(station) + from;
        assertThat(reached)
            .as("the event reaches %s after the stations before it in %s", station, PAGE)
            .isGreaterThan(last);
        last = reached;
      }
    }
    assertThat(executed.loaded())
        .as("only SOCKS proxies and fabric8's WebSockets need fabric8's transport")
        .noneMatch(name -> name.startsWith("io.vertx.") || name.startsWith("io.netty."));
  }

  private static String nameOf(String file) {
    return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
  }

  @Test
  void thePathLeavesNoPackageToComeBackLater() {
    documented().files().forEach(file -> assertThat(Checkout.root().resolve(file)).isRegularFile());
    assertThat(documented().packages()).doesNotHaveDuplicates();
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
