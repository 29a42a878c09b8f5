// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServerBuilder;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.SlowWatcher;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class OpenWatchesTest {
  private static final String WATCH = CONFIG_MAPS + "?watch=true";

  @AutoClose private EmbeddedApiServer server = EmbeddedApiServer.start();
  private HttpProbe http = new HttpProbe(server);

  private void restart(EmbeddedApiServerBuilder settings) {
    server.close();
    server = settings.start();
    http = new HttpProbe(server);
  }

  @Test
  void startsAfterTheGivenVersionAndLosesNothing() {
    http.configMap("before");
    String version = http.get(CONFIG_MAPS).version();
    http.configMap("a");
    http.patch(CONFIG_MAPS + "/a", "merge", "{'data':{'x':'1'}}");
    Reply deleted = http.delete(CONFIG_MAPS + "/a");

    try (WatchProbe watch = http.watch(WATCH + "&resourceVersion=" + version)) {
      assertThat(watch.next()).isEqualTo("ADDED a");
      JsonNode modified = watch.event();
      assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
      assertThat(modified.at("/object/kind").asText()).isEqualTo("ConfigMap");
      JsonNode last = watch.event();
      assertThat(WatchProbe.describe(last)).isEqualTo("DELETED a");
      assertThat(last.at("/object/data/x").asText()).isEqualTo("1");
      assertThat(last.at("/object/metadata/resourceVersion").asLong())
          .isEqualTo(modified.at("/object/metadata/resourceVersion").asLong() + 1);
      assertThat(deleted.code()).isEqualTo(200);
      http.configMap("live");
      assertThat(watch.next()).isEqualTo("ADDED live");
    }
  }

  @Test
  void showsTheStateFirstWithoutAVersion() {
    http.configMap("a");
    http.configMap("b");
    for (String query : List.of("", "&resourceVersion=", "&resourceVersion=0")) {
      try (WatchProbe watch = http.watch(WATCH + query)) {
        assertThat(watch.next()).isEqualTo("ADDED a");
        assertThat(watch.next()).isEqualTo("ADDED b");
      }
    }
  }

  @Test
  void reportsATooOldVersionInsideTheStream() {
    Reply old = http.configMap("a");
    Reply now = http.configMap("b");
    server.compact();

    try (WatchProbe watch =
        http.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + old.version())) {
      assertThat(watch.code()).isEqualTo(200);
      JsonNode error = watch.event();
      assertThat(error.path("type").asText()).isEqualTo("ERROR");
      assertThat(error.at("/object/code").asInt()).isEqualTo(410);
      assertThat(error.at("/object/reason").asText()).isEqualTo("Expired");
      assertThat(error.at("/object/message").asText())
          .isEqualTo("too old resource version: " + old.version() + " (" + now.version() + ")");
      assertThat(watch.line()).isEqualTo(WatchProbe.CLEAN_END);
    }
    try (WatchProbe watch = http.watch(WATCH + "&resourceVersion=" + now.version())) {
      http.configMap("c");
      assertThat(watch.next()).isEqualTo("ADDED c");
    }
  }

  @Test
  void forgetsTheOldestChangesWhenTheLogIsFull() {
    restart(EmbeddedApiServer.builder().logCapacity(3));
    List<String> versions = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      versions.add(http.configMap(name).version());
    }

    try (WatchProbe tooOld = http.watch(WATCH + "&resourceVersion=" + versions.get(0));
        WatchProbe oldest = http.watch(WATCH + "&resourceVersion=" + versions.get(1))) {
      assertThat(tooOld.next()).isEqualTo("ERROR");
      assertThat(oldest.next()).isEqualTo("ADDED c");
    }
  }

  @Test
  void keepsOpenWatchesGoingOverACompaction() {
    String version = http.configMap("a").version();
    try (WatchProbe watch = http.watch(WATCH + "&resourceVersion=" + version)) {
      http.configMap("b");
      assertThat(watch.next()).isEqualTo("ADDED b");
      server.compact();
      http.configMap("c");
      assertThat(watch.next()).isEqualTo("ADDED c");
    }
  }

  @Test
  void turnsChangesOfLabelsIntoComingAndGoing() {
    String version = http.configMap("a").version();
    try (WatchProbe watch =
        http.watch(WATCH + "&labelSelector=app%3Dx&resourceVersion=" + version)) {
      http.patch(CONFIG_MAPS + "/a", "merge", "{'metadata':{'labels':{'app':'x'}}}");
      http.patch(CONFIG_MAPS + "/a", "merge", "{'data':{'v':'1'}}");
      http.patch(CONFIG_MAPS + "/a", "merge", "{'data':{'v':'2'},'metadata':{'labels':null}}");
      http.patch(CONFIG_MAPS + "/a", "merge", "{'data':{'v':'3'}}");
      http.patch(CONFIG_MAPS + "/a", "merge", "{'metadata':{'labels':{'app':'x'}}}");

      assertThat(watch.next()).isEqualTo("ADDED a");
      JsonNode modified = watch.event();
      assertThat(WatchProbe.describe(modified)).isEqualTo("MODIFIED a");
      JsonNode gone = watch.event();
      assertThat(WatchProbe.describe(gone)).isEqualTo("DELETED a");
      assertThat(gone.at("/object/data/v").asText()).as("as it was inside").isEqualTo("1");
      assertThat(gone.at("/object/metadata/resourceVersion").asLong())
          .isGreaterThan(modified.at("/object/metadata/resourceVersion").asLong());
      assertThat(watch.next()).isEqualTo("ADDED a");
    }
  }

  @Test
  void watchesOneObjectByName() {
    http.configMap("a");
    try (WatchProbe watch = http.watch(WATCH + "&fieldSelector=metadata.name%3Db")) {
      http.configMap("b");
      assertThat(watch.next()).isEqualTo("ADDED b");
    }
  }

  @Test
  void endsCleanlyWithABookmarkAtTheTimeout() {
    String version = http.configMap("a").version();
    String bookmarks = "&allowWatchBookmarks=true";
    try (WatchProbe watch =
        http.watch(WATCH + bookmarks + "&timeoutSeconds=1&resourceVersion=" + version)) {
      String latest =
          http.post("/api/v1/namespaces/default/secrets", "{'metadata':{'name':'s'}}").version();
      JsonNode bookmark = watch.event();
      assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
      assertThat(bookmark.path("object"))
          .hasToString(
              HttpProbe.quoted(
                  "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'resourceVersion':'"
                      + latest
                      + "'}}"));
      assertThat(watch.line()).isEqualTo(WatchProbe.CLEAN_END);
    }
    try (WatchProbe watch = http.watch(WATCH + "&timeoutSeconds=1&resourceVersion=" + version)) {
      assertThat(watch.line()).as("no bookmark unasked").isEqualTo(WatchProbe.CLEAN_END);
    }
  }

  @Test
  void sendsBookmarksRegularly() {
    restart(EmbeddedApiServer.builder().bookmarkInterval(Duration.ofMillis(20)));
    String version = http.configMap("a").version();
    try (WatchProbe watch =
        http.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + version)) {
      assertThat(watch.next()).isEqualTo("BOOKMARK");
      assertThat(watch.next()).isEqualTo("BOOKMARK");
    }
  }

  @Test
  void refusesToStreamListsIfSwitchedOff() {
    restart(EmbeddedApiServer.builder().streamingLists(false));

    Reply reply = http.get(WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");

    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message()).contains("sendInitialEvents is forbidden");
  }

  @Test
  void cutsTheConnectionsOfOpenWatches() {
    http.configMap("a");
    try (WatchProbe watch = http.watch(WATCH)) {
      assertThat(watch.next()).isEqualTo("ADDED a");
      server.dropWatches();
      assertThat(watch.line()).isEqualTo(WatchProbe.CUT);
    }
    assertThat(http.get(CONFIG_MAPS).code()).isEqualTo(200);
  }

  @Test
  void showsTheChangesOfManyWritersInOrder() {
    String version = http.configMap("a").version();
    try (WatchProbe watch = http.watch(WATCH + "&resourceVersion=" + version)) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (String writer : List.of("p", "q", "r", "s")) {
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 25; i++) {
                    http.configMap(writer + i);
                  }
                }));
      }
      List<Long> versions = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        JsonNode event = watch.event();
        versions.add(event.at("/object/metadata/resourceVersion").asLong());
        names.add(event.at("/object/metadata/name").asText());
      }
      writers.forEach(CompletableFuture::join);
      assertThat(versions).isSorted().doesNotHaveDuplicates();
      assertThat(names).hasSize(100);
    }
  }

  @Test
  void doesNotWaitForASlowWatcher() {
    restart(EmbeddedApiServer.builder().logCapacity(50));
    String version = http.configMap("a").version();
    String large = "{'data':{'x':'%s'}}";
    HttpProbe reader = new HttpProbe(server);
    // A raw connection that nobody reads: its buffers fill up, then the log outruns it.
    try (SlowWatcher slow = new SlowWatcher(server, WATCH + "&resourceVersion=" + version);
        WatchProbe quick = reader.watch(WATCH + "&resourceVersion=" + version)) {
      for (int i = 0; i < 150; i++) {
        String text = Integer.toString(i).repeat(50_000);
        assertThat(http.patch(CONFIG_MAPS + "/a", "merge", large.formatted(text)).code())
            .isEqualTo(200);
        assertThat(quick.next()).isEqualTo("MODIFIED a");
      }
      assertThat(slow.countEventsToTheEnd()).isLessThan(150);
    }
  }
}
