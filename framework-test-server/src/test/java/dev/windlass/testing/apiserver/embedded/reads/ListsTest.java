// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.FOOS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListsTest {
  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().catchUpTimeout(Duration.ZERO).start();

  private final HttpProbe http = new HttpProbe(server);

  private static List<String> names(Reply list) {
    List<String> names = new ArrayList<>();
    list.json().path("items").forEach(i -> names.add(i.at("/metadata/name").asText()));
    return names;
  }

  private static List<String> fields(JsonNode node) {
    List<String> fields = new ArrayList<>();
    node.fieldNames().forEachRemaining(fields::add);
    return fields;
  }

  @Test
  void ordersTheFieldsOfListsLikeTheRealServer() {
    http.configMap("a");
    http.defineFoos();
    http.post(FOOS, HttpProbe.foo("f", ""));

    JsonNode builtIn = http.get(CONFIG_MAPS).json();
    JsonNode custom = http.get(FOOS).json();

    assertThat(fields(builtIn)).containsExactly("kind", "apiVersion", "metadata", "items");
    assertThat(builtIn.path("kind").asText()).isEqualTo("ConfigMapList");
    assertThat(fields(builtIn.at("/items/0"))).doesNotContain("kind", "apiVersion");
    assertThat(fields(custom)).containsExactly("apiVersion", "items", "kind", "metadata");
    assertThat(custom.at("/items/0/kind").asText()).isEqualTo("Foo");
    assertThat(http.get(CONFIG_MAPS + "/a").at("/kind")).isEqualTo("ConfigMap");
  }

  record Selected(String query, List<String> names) {}

  static Stream<Selected> selectors() {
    return Stream.of(
        new Selected("labelSelector=app=x", List.of("a", "b")),
        new Selected("labelSelector=app==x,tier=1", List.of("a")),
        new Selected("labelSelector=app!=x", List.of("c", "d")),
        new Selected("labelSelector=app in (x, y)", List.of("a", "b", "c")),
        new Selected("labelSelector=app notin (x,y),!tier", List.of("d")),
        new Selected("labelSelector=tier", List.of("a")),
        new Selected("labelSelector=!tier", List.of("b", "c", "d")),
        new Selected("fieldSelector=metadata.name=b", List.of("b")),
        new Selected(
            "fieldSelector=metadata.name!=b,metadata.namespace==default", List.of("a", "c", "d")),
        new Selected("fieldSelector=metadata.name=b&labelSelector=tier", List.of()));
  }

  @ParameterizedTest
  @MethodSource("selectors")
  void filtersByLabelsAndFields(Selected selected) {
    String configMap = "{'metadata':{'name':'%s','labels':{%s}}}";
    http.post(CONFIG_MAPS, configMap.formatted("a", "'app':'x','tier':'1'"));
    http.post(CONFIG_MAPS, configMap.formatted("b", "'app':'x'"));
    http.post(CONFIG_MAPS, configMap.formatted("c", "'app':'y'"));
    http.post(CONFIG_MAPS, configMap.formatted("d", ""));

    String query =
        Stream.of(selected.query().split("&", -1))
            .map(p -> p.split("=", 2))
            .map(p -> p[0] + "=" + URLEncoder.encode(p[1], StandardCharsets.UTF_8))
            .reduce((p, q) -> p + "&" + q)
            .orElseThrow();

    assertThat(names(http.get(CONFIG_MAPS + "?" + query))).isEqualTo(selected.names());
  }

  @Test
  void refusesSelectorsThatItCannotFollow() {
    assertThat(http.get(CONFIG_MAPS + "?fieldSelector=data.x%3D1").message())
        .isEqualTo(
            "\"data.x\" is not a known field selector: only \"metadata.name\","
                + " \"metadata.namespace\"");
    assertThat(http.get(CONFIG_MAPS + "?labelSelector=a%20b%20c").code()).isEqualTo(400);
  }

  @Test
  void keepsThePagesOfOneListConsistent() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      http.configMap(name);
    }
    Reply first = http.get(CONFIG_MAPS + "?limit=2");
    http.delete(CONFIG_MAPS + "/c");
    http.patch(CONFIG_MAPS + "/d", "merge", "{'data':{'new':'1'}}");
    http.configMap("dd");
    Reply second = http.get(CONFIG_MAPS + "?limit=2&continue=" + first.at("/metadata/continue"));
    Reply third = http.get(CONFIG_MAPS + "?limit=2&continue=" + second.at("/metadata/continue"));

    assertThat(names(first)).containsExactly("a", "b");
    assertThat(first.at("/metadata/remainingItemCount")).isEqualTo("3");
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.json().at("/items/1").has("data")).isFalse();
    assertThat(second.version()).isEqualTo(first.version());
    assertThat(names(third)).containsExactly("e");
    assertThat(third.json().path("metadata").has("continue")).isFalse();
    assertThat(names(http.get(CONFIG_MAPS))).containsExactly("a", "b", "d", "dd", "e");
  }

  @Test
  void expiresPagesOfACompactedState() {
    http.configMap("a");
    http.configMap("b");
    Reply first = http.get(CONFIG_MAPS + "?limit=1");
    http.configMap("c");
    server.compact();

    Reply expired = http.get(CONFIG_MAPS + "?continue=" + first.at("/metadata/continue"));

    assertThat(expired.code()).isEqualTo(410);
    assertThat(expired.reason()).isEqualTo("Expired");
    Reply rest = http.get(CONFIG_MAPS + "?continue=" + expired.at("/metadata/continue"));
    assertThat(names(rest)).as("the inconsistent rest").containsExactly("b", "c");
    assertThat(http.get(CONFIG_MAPS + "?continue=nonsense").code()).isEqualTo(400);
  }

  @Test
  void listsAtTheVersionThatIsAskedFor() {
    String old = http.configMap("a").version();
    String now = http.configMap("b").version();
    String exact = "&resourceVersionMatch=Exact";
    String notOlder = "&resourceVersionMatch=NotOlderThan";

    assertThat(http.get(CONFIG_MAPS).version()).isEqualTo(now);
    assertThat(names(http.get(CONFIG_MAPS + "?resourceVersion=" + old + exact)))
        .containsExactly("a");
    assertThat(names(http.get(CONFIG_MAPS + "?resourceVersion=" + old + notOlder)))
        .containsExactly("a", "b");
    assertThat(names(http.get(CONFIG_MAPS + "?resourceVersion=0"))).containsExactly("a", "b");
    assertThat(names(http.get(CONFIG_MAPS + "?resourceVersion=0&limit=1")))
        .as("the watch cache ignores limits")
        .hasSize(2);

    Reply future = http.get(CONFIG_MAPS + "?resourceVersion=" + (Long.parseLong(now) + 5));
    assertThat(future.code()).isEqualTo(504);
    assertThat(future.reason()).isEqualTo("Timeout");
    assertThat(future.message()).startsWith("Timeout: Too large resource version: ");
    assertThat(future.at("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");

    server.compact();
    Reply gone = http.get(CONFIG_MAPS + "?resourceVersion=" + old + exact);
    assertThat(gone.code()).isEqualTo(410);
    assertThat(http.get(CONFIG_MAPS + "?resourceVersionMatch=Exact").code()).isEqualTo(422);
  }

  @Test
  void selectsEventsByTheObjectTheyAreAbout() {
    String events = "/api/v1/namespaces/default/events";
    String event = "{'metadata':{'name':'%s'},'involvedObject':{'kind':'Foo','name':'%s'}}";
    http.post(events, event.formatted("e1", "a"));
    http.post(events, event.formatted("e2", "b"));

    assertThat(names(http.get(events + "?fieldSelector=involvedObject.name%3Db")))
        .containsExactly("e2");
    assertThat(http.patch(events + "/e1", "strategic-merge", "{'count':2}").at("/count"))
        .isEqualTo("2");
  }
}
