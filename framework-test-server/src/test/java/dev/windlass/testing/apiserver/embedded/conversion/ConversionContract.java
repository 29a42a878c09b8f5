// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import dev.windlass.testing.apiserver.embedded.probes.WebhookServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Doors have a {@code spec.host} in v1, which is stored, and a {@code spec.hostname} in v2. The
 * webhook renames the field.
 */
abstract class ConversionContract {
  private static final AtomicInteger GROUPS = new AtomicInteger();
  private static final String V1 =
      "{'host':{'type':'string'},'colour':{'type':'string','default':'red'}}";
  private static final String V2 =
      "{'hostname':{'type':'string','maxLength':9},'size':{'type':'integer','default':3}}";

  @AutoClose private final WebhookServer webhooks = new WebhookServer();
  private final String group = "doors" + GROUPS.incrementAndGet() + ".example.com";
  private HttpProbe http;

  abstract TestApiServer server();

  @BeforeEach
  void connect() {
    http = HttpProbe.on(server());
    webhooks.answer("/convert", ConversionContract::renamed);
  }

  @AfterEach
  void removeTheDefinition() {
    http.delete(HttpProbe.CRDS + "/doors." + group);
  }

  private static ObjectNode renamed(ObjectNode request) {
    String version = request.path("desiredAPIVersion").asText();
    boolean newer = version.endsWith("/v2");
    ObjectNode response = WebhookServer.response();
    for (JsonNode object : request.path("objects")) {
      ObjectNode converted = object.deepCopy();
      converted.put("apiVersion", version);
      ObjectNode spec = (ObjectNode) converted.path("spec");
      JsonNode host = spec.remove(newer ? "host" : "hostname");
      if (host != null) {
        spec.set(newer ? "hostname" : "host", host);
      }
      response.withArray("convertedObjects").add(converted);
    }
    response.putObject("result").put("status", "Success");
    return response;
  }

  private String definition(String conversion, String storage) {
    return """
        {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
         'metadata':{'name':'doors.%s'},
         'spec':{'group':'%s','scope':'Namespaced','names':{'plural':'doors','kind':'Door'},
          'conversion':%s,
          'versions':[%s,%s]}}
        """
        .formatted(
            group, group, conversion, version("v1", V1, storage), version("v2", V2, storage));
  }

  private static String version(String name, String properties, String storage) {
    return """
        {'name':'%s','served':true,'storage':%s,'subresources':{'status':{}},
         'schema':{'openAPIV3Schema':{'type':'object','properties':{
          'spec':{'type':'object','properties':%s},
          'status':{'type':'object','properties':{'open':{'type':'boolean'}}}}}}}
        """
        .formatted(name, name.equals(storage), properties);
  }

  private String byWebhook() {
    return byWebhook("/convert");
  }

  private String byWebhook(String path) {
    return "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':%s}}"
        .formatted(webhooks.clientConfig(path));
  }

  private void define(String conversion) {
    Reply reply = http.post(HttpProbe.CRDS, definition(conversion, "v1"));
    assertThat(reply.code()).as(reply.text()).isEqualTo(201);
    for (String version : new String[] {"v1", "v2"}) {
      eventually()
          .atMost(Duration.ofSeconds(20))
          .until(() -> http.get(doors(version)).code() == 200);
    }
  }

  private String doors(String version) {
    return "/apis/" + group + "/" + version + "/namespaces/default/doors";
  }

  private String door(String version, String name, String spec) {
    return "{'apiVersion':'%s/%s','kind':'Door','metadata':{'name':'%s'},'spec':{%s}}"
        .formatted(group, version, name, spec);
  }

  @Test
  void changesOnlyTheVersionWithoutAWebhook() {
    define("{'strategy':'None'}");
    Reply created = http.post(doors("v2"), door("v2", "a", "'hostname':'h'"));
    assertThat(created.json().path("spec").toString()).isEqualTo("{}");
    Reply read = http.get(doors("v1") + "/a");
    assertThat(read.at("/apiVersion")).isEqualTo(group + "/v1");
    assertThat(read.json().path("spec").toString()).isEqualTo("{\"colour\":\"red\"}");
    Reply again = http.get(doors("v2") + "/a");
    assertThat(again.at("/apiVersion")).isEqualTo(group + "/v2");
    assertThat(again.version()).isEqualTo(created.version());
  }

  @Test
  void convertsWritesAndReads() {
    define(byWebhook());
    Reply created = http.post(doors("v2"), door("v2", "a", "'hostname':'h'"));
    assertThat(created.code()).as(created.text()).isEqualTo(201);
    assertThat(created.at("/spec/hostname")).isEqualTo("h");
    Reply older = http.get(doors("v1") + "/a");
    assertThat(older.at("/spec/host")).isEqualTo("h");
    assertThat(older.at("/apiVersion")).isEqualTo(group + "/v1");
    assertThat(older.version()).isEqualTo(created.version());
    http.patch(doors("v2") + "/a", "merge", "{'spec':{'hostname':'i'}}");
    assertThat(http.get(doors("v1") + "/a").at("/spec/host")).isEqualTo("i");
    assertThat(http.get(doors("v1")).at("/items/0/spec/host")).isEqualTo("i");
    Reply list = http.get(doors("v2"));
    assertThat(list.at("/items/0/spec/hostname")).isEqualTo("i");
    assertThat(list.at("/apiVersion")).isEqualTo(group + "/v2");
    Reply deleted = http.delete(doors("v2") + "/a");
    assertThat(deleted.at("/status")).as(deleted.text()).isEqualTo("Success");
  }

  @Test
  void convertsUpdatesAndTheStatus() {
    define(byWebhook());
    http.post(doors("v1"), door("v1", "a", "'host':'h'"));
    ObjectNode object = (ObjectNode) http.get(doors("v2") + "/a").json();
    object.withObject("/spec").put("hostname", "j");
    Reply updated = http.put(doors("v2") + "/a", object.toString());
    assertThat(updated.at("/spec/hostname")).as(updated.text()).isEqualTo("j");
    assertThat(updated.at("/metadata/generation")).isEqualTo("2");
    http.patch(doors("v2") + "/a/status", "merge", "{'status':{'open':true}}");
    Reply older = http.get(doors("v1") + "/a");
    assertThat(older.at("/status/open")).isEqualTo("true");
    assertThat(older.at("/spec/host")).isEqualTo("j");
    assertThat(older.at("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void validatesInTheVersionOfTheRequest() {
    define(byWebhook());
    assertThat(http.post(doors("v1"), door("v1", "a", "'host':'0123456789'")).code())
        .isEqualTo(201);
    Reply refused = http.post(doors("v2"), door("v2", "b", "'hostname':'0123456789'"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .isEqualTo(
            "Door.%s \"b\" is invalid: spec.hostname: Too long: may not be more than 9 bytes"
                .formatted(group));
  }

  @Test
  void appliesInTheVersionOfTheRequest() {
    define(byWebhook());
    String path = doors("v2") + "/a?fieldManager=me";
    Reply created =
        http.send(
            http.request(path)
                .header("Content-Type", "application/apply-patch+yaml")
                .method(
                    "PATCH",
                    BodyPublishers.ofString(HttpProbe.quoted(door("v2", "a", "'hostname':'h'")))));
    assertThat(created.code()).as(created.text()).isEqualTo(201);
    assertThat(created.at("/spec/hostname")).isEqualTo("h");
    Reply applied =
        http.send(
            http.request(path)
                .header("Content-Type", "application/apply-patch+yaml")
                .method(
                    "PATCH",
                    BodyPublishers.ofString(HttpProbe.quoted(door("v2", "a", "'hostname':'i'")))));
    assertThat(applied.at("/spec/hostname")).as(applied.text()).isEqualTo("i");
    Reply older = http.get(doors("v1") + "/a");
    assertThat(older.at("/spec/host")).isEqualTo("i");
    assertThat(older.at("/metadata/managedFields/0/apiVersion")).isEqualTo(group + "/v2");
  }

  @Test
  void convertsTheEventsOfAWatch() throws Exception {
    define(byWebhook());
    http.post(doors("v1"), door("v1", "a", "'host':'h'"));
    try (WatchProbe watch = http.watch(doors("v2") + "?watch=true")) {
      assertThat(watch.event().at("/object/spec/hostname").asText()).isEqualTo("h");
      http.patch(doors("v1") + "/a", "merge", "{'spec':{'host':'k'}}");
      JsonNode modified = watch.event();
      assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
      assertThat(modified.at("/object/spec/hostname").asText()).isEqualTo("k");
      http.delete(doors("v1") + "/a");
      JsonNode deleted = watch.event();
      assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
      assertThat(deleted.at("/object/apiVersion").asText()).isEqualTo(group + "/v2");
    }
  }

  @Test
  void readsObjectsThatAreStoredInAnOlderVersion() {
    define(byWebhook());
    http.post(doors("v1"), door("v1", "a", "'host':'h'"));
    Reply crd = http.get(HttpProbe.CRDS + "/doors." + group);
    assertThat(crd.json().at("/status/storedVersions").toString()).isEqualTo("[\"v1\"]");
    ObjectNode changed = (ObjectNode) crd.json();
    for (JsonNode version : changed.at("/spec/versions")) {
      ((ObjectNode) version).put("storage", version.path("name").asText().equals("v2"));
    }
    Reply updated = http.put(HttpProbe.CRDS + "/doors." + group, changed.toString());
    assertThat(updated.json().at("/status/storedVersions").toString())
        .as(updated.text())
        .isEqualTo("[\"v1\",\"v2\"]");
    assertThat(http.get(doors("v2") + "/a").at("/spec/hostname")).isEqualTo("h");
    assertThat(http.get(doors("v1") + "/a").at("/spec/host")).isEqualTo("h");
    http.patch(doors("v1") + "/a", "merge", "{'spec':{'host':'l'}}");
    assertThat(http.get(doors("v2") + "/a").at("/spec/hostname")).isEqualTo("l");
  }

  @Test
  void cannotRemoveAVersionInWhichObjectsMayBeStored() {
    define(byWebhook());
    ObjectNode changed = (ObjectNode) http.get(HttpProbe.CRDS + "/doors." + group).json();
    ((com.fasterxml.jackson.databind.node.ArrayNode) changed.at("/spec/versions")).remove(0);
    ((ObjectNode) changed.at("/spec/versions/0")).put("storage", true);
    Reply refused = http.put(HttpProbe.CRDS + "/doors." + group, changed.toString());
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .startsWith(
            "CustomResourceDefinition.apiextensions.k8s.io \"doors.%s\" is invalid: status.storedVersions[0]: Invalid value: \"v1\": "
                .formatted(group));
  }

  @Test
  void reportsFailuresOfTheWebhook() {
    webhooks.answer(
        "/refuse",
        request ->
            WebhookServer.response()
                .set(
                    "result",
                    HttpProbe.parse("{\"status\":\"Failure\",\"message\":\"no doors\"}")));
    webhooks.answer(
        "/rename",
        request -> {
          ObjectNode response = renamed(request);
          ((ObjectNode) response.at("/convertedObjects/0/metadata")).put("name", "b");
          return response;
        });
    webhooks.answer(
        "/none",
        request -> {
          ObjectNode response = WebhookServer.response();
          response.putObject("result").put("status", "Success");
          return response;
        });
    webhooks.answer("/uid", request -> renamed(request).put("uid", "other"));
    webhooks.fail("/broken", 500, "broken");
    define(byWebhook());
    http.post(doors("v1"), door("v1", "a", "'host':'h'"));
    String prefix = "conversion webhook for " + group + "/v2, Kind=Door ";
    assertRefused("/refuse", prefix + "failed: no doors");
    assertRefused("/rename", prefix + "returned invalid object: must have the same name");
    assertRefused("/none", prefix + "returned 0 objects, expected 1");
    assertRefused("/broken", prefix + "failed: ");
  }

  private void assertRefused(String path, String message) {
    http.patch(
        HttpProbe.CRDS + "/doors." + group,
        "merge",
        "{'spec':{'conversion':%s}}".formatted(byWebhook(path)));
    eventually()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              Reply refused = http.post(doors("v2"), door("v2", "a", "'hostname':'h'"));
              assertThat(refused.message()).startsWith(message);
              assertThat(refused.code()).isEqualTo(500);
              assertThat(refused.reason()).isEmpty();
            });
  }
}
