// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What informers rely on in lists and watches; the embedded and the real server agree on it. */
abstract class ReadsContract {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final String FUTURE = "9999999";
  private static final String STREAMING =
      "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private HttpProbe http;
  private String configMaps;

  abstract TestApiServer server();

  @BeforeEach
  void makesANamespaceWithTwoObjects() {
    http = HttpProbe.on(server());
    String namespace = "reads-" + NAMESPACES.incrementAndGet();
    http.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
    create("a");
    create("b");
  }

  private Reply create(String name) {
    Reply reply =
        http.post(configMaps, "{'metadata':{'name':'%s'},'data':{'k':'v'}}".formatted(name));
    assertThat(reply.code()).isEqualTo(201);
    return reply;
  }

  /** A request whose options are refused, and the message after "ListOptions … is invalid: ". */
  record Refused(String query, String why) {}

  static Stream<Refused> refused() {
    String match = "resourceVersionMatch: Forbidden: resourceVersionMatch ";
    String send = "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list";
    String needs =
        "resourceVersionMatch: Forbidden: sendInitialEvents requires setting"
            + " resourceVersionMatch to NotOlderThan";
    String of = "resourceVersionMatch: Unsupported value: ";
    return Stream.of(
        new Refused(
            "resourceVersionMatch=Exact",
            match + "is forbidden unless resourceVersion is provided"),
        new Refused(
            "resourceVersionMatch=Bogus&resourceVersion=5",
            of + "\"Bogus\": supported values: \"Exact\", \"NotOlderThan\", \"\""),
        new Refused(
            "resourceVersionMatch=Exact&resourceVersion=0",
            match + "\"exact\" is forbidden for resourceVersion \"0\""),
        new Refused(
            "resourceVersionMatch=NotOlderThan&resourceVersion=3&continue=x",
            match + "is forbidden when continue is provided"),
        new Refused("sendInitialEvents=true", send),
        new Refused(
            "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
            "[" + match + "is forbidden unless resourceVersion is provided, " + send + "]"),
        new Refused("watch=1&sendInitialEvents=true", needs),
        new Refused(
            "watch=1&sendInitialEvents=false&resourceVersionMatch=Exact",
            "[" + needs + ", " + of + "\"Exact\": supported values: \"NotOlderThan\"]"),
        new Refused(
            "watch=1&resourceVersionMatch=NotOlderThan",
            match + "is forbidden for watch unless sendInitialEvents is provided"),
        new Refused(STREAMING + "&continue=x", match + "is forbidden when continue is provided"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesOptionsThatContradictEachOther(Refused refused) {
    Reply reply = http.get(configMaps + "?" + refused.query());

    assertThat(reply.message())
        .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: " + refused.why());
    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.reason()).isEqualTo("Invalid");
    JsonNode details = reply.json().path("details");
    assertThat(details.has("name")).isFalse();
    assertThat(details.path("group").asText()).isEqualTo("meta.k8s.io");
    assertThat(details.path("kind").asText()).isEqualTo("ListOptions");
    assertThat(refused.why())
        .contains(reply.at("/details/causes/0/field") + ": ")
        .contains(reply.at("/details/causes/0/message"));
  }

  @Test
  void refusesNumbersThatItCannotRead() {
    assertRefused("?resourceVersion=abc", 400);
    assertRefused("?watch=1&resourceVersion=abc", 500);
    assertRefused("/a?resourceVersion=abc", 500);
    for (String option : List.of("limit", "timeoutSeconds")) {
      assertRefused("?" + option + "=abc", 400);
    }
    assertThat(http.get(configMaps + "?continue=abc").message())
        .startsWith("invalid continue token: continue key is not valid");
    assertThat(http.get(configMaps + "?limit=-1").code()).isEqualTo(200);
  }

  private void assertRefused(String request, int code) {
    Reply reply = http.get(configMaps + request);
    assertThat(reply.message()).contains("abc");
    assertThat(reply.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&resourceVersion=0", "&resourceVersion=%s"})
  void streamsAListAndGoesOnWithEvents(String version) {
    String latest = create("c").version();
    http.get(configMaps + "?resourceVersion=" + latest); // waits until the server's cache has it
    String query = "?" + STREAMING + "&allowWatchBookmarks=true" + version.formatted(latest);
    try (WatchProbe watch = http.watch(configMaps + query)) {
      assertThat(List.of(watch.next(), watch.next(), watch.next()))
          .containsExactlyInAnyOrder("ADDED a", "ADDED b", "ADDED c");
      assertEndOfList(watch.event(), "ConfigMap", latest);
      String live = create("d").version();
      JsonNode event = watch.event();
      assertThat(WatchProbe.describe(event)).isEqualTo("ADDED d");
      assertThat(event.at("/object/metadata/resourceVersion").asText()).isEqualTo(live);
    }
  }

  private static void assertEndOfList(JsonNode event, String kind, String latest) {
    assertThat(event.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(event.at("/object/kind").asText()).isEqualTo(kind);
    JsonNode metadata = event.at("/object/metadata");
    assertThat(metadata.path("resourceVersion").asLong())
        .isGreaterThanOrEqualTo(Long.parseLong(latest));
    assertThat(metadata.path("annotations").path("k8s.io/initial-events-end").asText())
        .isEqualTo("true");
    assertThat(metadata).as("no more than these two").hasSize(2);
  }

  @Test
  void marksTheEndOfTheStateOfAWatchFromNowhereToo() {
    try (WatchProbe watch = http.watch(configMaps + "?watch=1&allowWatchBookmarks=true")) {
      assertThat(List.of(watch.next(), watch.next()))
          .containsExactlyInAnyOrder("ADDED a", "ADDED b");
      assertEndOfList(watch.event(), "ConfigMap", "1");
    }
  }

  @Test
  void streamsAListWithoutAMarkForThoseWhoTakeNoBookmarks() {
    try (WatchProbe watch = http.watch(configMaps + "?" + STREAMING)) {
      assertThat(List.of(watch.next(), watch.next()))
          .containsExactlyInAnyOrder("ADDED a", "ADDED b");
      create("c");
      assertThat(watch.next()).isEqualTo("ADDED c");
    }
  }

  @Test
  void answersThatAVersionDoesNotComeInTime() {
    for (String request : List.of("?resourceVersion=", "/a?resourceVersion=")) {
      Reply reply = http.get(configMaps + request + FUTURE);
      assertThat(reply.code()).isEqualTo(504);
      assertTooLarge(reply.json());
    }
    try (WatchProbe watch =
        http.watch(configMaps + "?" + STREAMING + "&resourceVersion=" + FUTURE)) {
      assertThat(watch.code()).isEqualTo(200);
      JsonNode event = watch.event();
      assertThat(event.path("type").asText()).isEqualTo("ERROR");
      assertTooLarge(event.path("object"));
      assertThat(watch.line()).isEqualTo(WatchProbe.CLEAN_END);
    }
  }

  private static void assertTooLarge(JsonNode status) {
    assertThat(status.path("code").asInt()).isEqualTo(504);
    assertThat(status.path("reason").asText()).isEqualTo("Timeout");
    assertThat(status.path("message").asText())
        .matches("Timeout: Too large resource version: " + FUTURE + ", current: [0-9]+");
    assertThat(status.path("details"))
        .hasToString(
            HttpProbe.quoted(
                "{'causes':[{'reason':'ResourceVersionTooLarge',"
                    + "'message':'Too large resource version'}],'retryAfterSeconds':1}"));
  }

  @Test
  void waitsForAVersionThatIsAboutToCome() {
    long next = Long.parseLong(http.get(configMaps).version()) + 1;
    CompletableFuture<Reply> list =
        CompletableFuture.supplyAsync(() -> http.get(configMaps + "?resourceVersion=" + next));
    create("c");

    Reply reply = list.join();

    assertThat(reply.code()).isEqualTo(200);
    assertThat(Long.parseLong(reply.version())).isGreaterThanOrEqualTo(next);
  }

  @Test
  void showsTheMetadataAlone() {
    JsonNode one = http.getAs(configMaps + "/a", METADATA).json();
    assertPartial(one, "a");
    JsonNode list = http.getAs(configMaps, METADATA_LIST + ",application/json").json();
    assertThat(fields(list)).containsExactly("kind", "apiVersion", "metadata", "items");
    assertThat(list.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
    assertThat(list.path("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
    assertThat(list.path("metadata").has("resourceVersion")).isTrue();
    assertPartial(list.at("/items/0"), "a");
    assertPartial(list.at("/items/1"), "b");
    assertThat(http.getAs(configMaps + "/none", METADATA).message())
        .isEqualTo("configmaps \"none\" not found");
  }

  @Test
  void watchesTheMetadataAlone() {
    String query = "?" + STREAMING + "&allowWatchBookmarks=true";
    try (WatchProbe watch = http.watchAs(configMaps + query, METADATA)) {
      assertPartial(watch.event().path("object"), "a");
      assertPartial(watch.event().path("object"), "b");
      JsonNode end = watch.event();
      assertEndOfList(end, "PartialObjectMetadata", "1");
      assertThat(end.at("/object/apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
      http.delete(configMaps + "/a");
      JsonNode deleted = watch.event();
      assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
      assertPartial(deleted.path("object"), "a");
    }
  }

  private static void assertPartial(JsonNode object, String name) {
    assertThat(fields(object)).containsExactly("kind", "apiVersion", "metadata");
    assertThat(object.path("kind").asText()).isEqualTo("PartialObjectMetadata");
    assertThat(object.path("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
    assertThat(object.at("/metadata/name").asText()).isEqualTo(name);
    assertThat(object.path("metadata").has("uid")).isTrue();
  }

  private static List<String> fields(JsonNode node) {
    List<String> fields = new ArrayList<>();
    node.fieldNames().forEachRemaining(fields::add);
    return fields;
  }

  @Test
  void refusesToShowAListAsAnObjectOrAnObjectAsAList() {
    Reply list = http.getAs(configMaps, METADATA);
    Reply object = http.getAs(configMaps + "/a", METADATA_LIST);

    assertThat(list.code()).isEqualTo(406);
    assertThat(list.reason()).isEqualTo("NotAcceptable");
    assertThat(list.message())
        .startsWith("you requested PartialObjectMetadata, but the requested object is a list");
    assertThat(object.code()).isEqualTo(406);
    assertThat(object.message())
        .startsWith(
            "you requested PartialObjectMetadataList, but the requested object is not a list");
    assertThat(http.getAs(configMaps, METADATA.replace("Partial", "Bogus")).code()).isEqualTo(406);
  }

  @Test
  void compressesLargeListsAndNoWatches() {
    String small = encoding(http.get(configMaps, "Accept-Encoding", "gzip"));
    http.post(
        configMaps,
        "{'metadata':{'name':'large'},'data':{'x':'%s'}}".formatted("x".repeat(200_000)));

    assertThat(small).isEmpty();
    assertThat(encoding(http.get(configMaps, "Accept-Encoding", "gzip"))).isEqualTo("gzip");
    assertThat(encoding(http.get(configMaps, "Accept-Encoding", "identity"))).isEmpty();
    String watch = configMaps + "?watch=1&timeoutSeconds=1";
    assertThat(encoding(http.get(watch, "Accept-Encoding", "gzip"))).isEmpty();
  }

  private static String encoding(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(200);
    return response.headers().firstValue("Content-Encoding").orElse("");
  }
}
