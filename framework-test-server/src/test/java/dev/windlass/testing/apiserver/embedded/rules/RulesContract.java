// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What both servers say, word by word, of fields that a type does not have and of bad metadata. */
abstract class RulesContract {

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final String STRICT = "?fieldValidation=Strict&fieldManager=me";
  private static final String UNKNOWN = "strict decoding error: unknown field \"spec.foo\"";

  private HttpProbe http;

  abstract TestApiServer server();

  /** A type, the paths of its objects, and the object that is valid if nothing is added. */
  private record Kind(String name, String version, String apiVersion, String path, String spec) {

    String object(String name, String more) {
      return """
          {'apiVersion':'%s','kind':'%s','metadata':{'name':'%s'},'spec':{%s%s}}
          """
          .formatted(apiVersion, this.name, name, spec, more);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Kind DEPLOYMENT =
      new Kind(
          "Deployment",
          "v1",
          "apps/v1",
          HttpProbe.DEPLOYMENTS,
          "'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
              + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}");

  private static final Kind FOO =
      new Kind(
          "Foo",
          "v1alpha1",
          "strict.example.com/v1alpha1",
          "/apis/strict.example.com/v1alpha1/namespaces/default/foos",
          "'deploymentName':'web'");

  static Stream<Kind> kinds() {
    return Stream.of(DEPLOYMENT, FOO);
  }

  @BeforeEach
  void definesFoos() {
    http = HttpProbe.on(server());
    http.post(
        HttpProbe.CRDS, HttpProbe.FOO_CRD.replace("samplecontroller.k8s.io", "strict.example.com"));
    eventually().atMost(Duration.ofSeconds(20)).until(() -> http.get(FOO.path()).code() == 200);
  }

  private static String name() {
    return "strict-" + NAMES.incrementAndGet();
  }

  private String create(Kind kind) {
    String name = name();
    assertThat(http.post(kind.path(), kind.object(name, "")).code()).isEqualTo(201);
    return kind.path() + "/" + name;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void refusesUnknownFieldsOfACreateIfStrict(Kind kind) {
    Reply reply = http.post(kind.path() + STRICT, kind.object(name(), ",'foo':1"));
    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.reason()).isEqualTo("BadRequest");
    assertThat(reply.message()).endsWith(UNKNOWN);
    assertThat(http.post(kind.path() + STRICT, kind.object(name(), "")).code()).isEqualTo(201);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void refusesUnknownFieldsOfAnUpdateIfStrict(Kind kind) {
    String object = create(kind);
    String name = object.substring(object.lastIndexOf('/') + 1);
    for (String path : List.of(object, object + "/status")) {
      Reply reply = http.put(path + STRICT, kind.object(name, ",'foo':1"));
      assertThat(reply.code()).isEqualTo(400);
      assertThat(reply.message()).endsWith(UNKNOWN);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void refusesUnknownFieldsOfAPatchIfStrict(Kind kind) {
    String object = create(kind);
    String add = "[{'op':'add','path':'/spec/foo','value':1}]";
    for (Reply reply :
        List.of(
            http.patch(object + STRICT, "merge", "{'spec':{'foo':1}}"),
            http.patch(object + STRICT, "json", add))) {
      assertThat(reply.code()).isEqualTo(422);
      assertThat(reply.reason()).isEqualTo("Invalid");
      assertThat(reply.message()).startsWith(" \"\" is invalid: patch: Invalid value: ");
      assertThat(reply.message()).endsWith(UNKNOWN);
      assertThat(reply.at("/details/causes/0/field")).isEqualTo("patch");
    }
    Reply nothing = http.patch(object + STRICT, "merge", "{'spec':{'foo':null}}");
    assertThat(nothing.code()).isEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void refusesUnknownFieldsOfAnApplyInEveryMode(Kind kind) {
    String name = name();
    for (String mode : List.of("Strict", "Warn", "Ignore")) {
      Reply reply =
          http.send(
              http.request(kind.path() + "/" + name + "?fieldManager=me&fieldValidation=" + mode)
                  .header("Content-Type", "application/apply-patch+yaml")
                  .method(
                      "PATCH",
                      BodyPublishers.ofString(HttpProbe.quoted(kind.object(name, ",'foo':1")))));
      assertThat(reply.code()).isEqualTo(500);
      assertThat(reply.message())
          .startsWith("failed to create typed patch object") // clients look for it
          .endsWith(".spec.foo: field not declared in schema");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void warnsOfUnknownFieldsUnlessToldToIgnoreThem(Kind kind) {
    String warning = "299 - \"unknown field \\\"spec.foo\\\"\"";
    for (String query : List.of("", "?fieldValidation=Warn", "?fieldValidation=")) {
      HttpResponse<String> reply =
          http.postRaw(kind.path() + query, kind.object(name(), ",'foo':1"));
      assertThat(reply.statusCode()).isEqualTo(201);
      assertThat(reply.headers().allValues("Warning")).containsExactly(warning);
      JsonNode created = HttpProbe.parse(reply.body());
      assertThat(created.path("spec").has("foo")).as("the unknown field is stored").isFalse();
    }
    HttpResponse<String> ignored =
        http.postRaw(kind.path() + "?fieldValidation=Ignore", kind.object(name(), ",'foo':1"));
    assertThat(ignored.statusCode()).isEqualTo(201);
    assertThat(ignored.headers().allValues("Warning")).isEmpty();
  }

  /** Fields are compared at every depth, and those that may hold anything may. */
  @ParameterizedTest
  @ValueSource(strings = {"?dryRun=All&fieldValidation=Strict"})
  void namesEachUnknownField(String query) {
    String deep =
        DEPLOYMENT
            .object(name(), "")
            .replace("'image':'i'", "'image':'i','baz':1,'resources':{'limits':{'cpu':'1'}}")
            .replace("'name':'strict", "'metafoo':1,'annotations':{'a':'b'},'name':'strict")
            .replace("'spec':{'containers'", "'spec':{'bar':2,'containers'");
    assertThat(http.post(DEPLOYMENT.path() + query, deep).message())
        .endsWith(
            ": strict decoding error: unknown field \"metadata.metafoo\", unknown field"
                + " \"spec.template.spec.bar\", unknown field"
                + " \"spec.template.spec.containers[0].baz\"");
    String more = ",'zap':1,'arr':[{'x':1}],'anything':{'q':1}";
    assertThat(http.post(FOO.path() + query, FOO.object(name(), more)).message())
        .endsWith(
            ": strict decoding error: unknown field \"spec.arr\", unknown field \"spec.zap\"");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void refusesAModeThatDoesNotExist(Kind kind) {
    Reply reply = http.post(kind.path() + "?fieldValidation=Bogus", kind.object(name(), ""));
    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message())
        .isEqualTo(
            "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value:"
                + " \"Bogus\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
  }

  /** Labels, annotations and changes that both servers refuse, at the same fields. */
  @Nested
  final class OnMetadata {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final String LONG = "x".repeat(64);

    private static String map(String name, String metadata) {
      return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s'%s}}"
          .formatted(name, metadata);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            labels      | a      | LONG | LONG
            labels      | a      | -b   | -b
            labels      | a      | b c  | b c
            labels      | LONG   | v    | LONG
            labels      | a/b/c  | v    | a/b/c
            labels      | /b     | v    | /b
            labels      | A.b/c  | v    | A.b/c
            labels      | a/     | v    | a/
            annotations | b c    | v    | b c
            annotations | x/LONG | v    | x/LONG
            """)
    void refusesNamesAndValues(String field, String key, String value, String wrong) {
      String metadata =
          ",'%s':{'%s':'%s'}"
              .formatted(field, key.replace("LONG", LONG), value.replace("LONG", LONG));
      String name = name();
      Reply created = http.post(MAPS, map(name, metadata));
      assertThat(created.code()).isEqualTo(422);
      assertThat(created.reason()).isEqualTo("Invalid");
      assertThat(created.message())
          .contains(
              "metadata.%s: Invalid value: \"%s\": ".formatted(field, wrong.replace("LONG", LONG)));
      assertThat(http.post(MAPS, map(name, "")).code()).isEqualTo(201);
      Reply updated = http.put(MAPS + "/" + name, map(name, metadata));
      assertThat(updated.code()).isEqualTo(422);
    }

    @Test
    void acceptsWhatIsAllowed() {
      String metadata =
          ",'labels':{'a':'','A_b.c':'D-e_f.9','example.com/x':'%s'},'annotations':{'Example.com/X':'any thing'}"
              .formatted("y".repeat(63));
      assertThat(http.post(MAPS, map(name(), metadata)).code()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            ConfigMap | 'immutable':true,'data':{'k':'w'}  | data: Forbidden: field is immutable when `immutable` is set
            ConfigMap | 'immutable':false,'data':{'k':'v'} | immutable: Forbidden: field is immutable when `immutable` is set
            ConfigMap | 'data':{'k':'v'}                   | immutable: Forbidden: field is immutable when `immutable` is set
            ConfigMap | 'immutable':true,'data':{'k':'v'},'binaryData':{'b':'AA=='} | binaryData: Forbidden
            Secret    | 'immutable':true,'data':{'k':'dw=='} | data: Forbidden: field is immutable when `immutable` is set
            Secret    | 'immutable':true,'data':{'k':'dg=='},'type':'other' | type: Invalid value: "other": field is immutable
            """)
    void refusesToChangeWhatIsImmutable(String kind, String content, String why) {
      String path = kind.equals("Secret") ? SECRETS : MAPS;
      String name = name();
      String object = "{'apiVersion':'v1','kind':'%s','metadata':{'name':'%s'},%s}";
      String first =
          kind.equals("Secret")
              ? "'immutable':true,'data':{'k':'dg=='}"
              : "'immutable':true,'data':{'k':'v'}";
      assertThat(http.post(path, object.formatted(kind, name, first)).code()).isEqualTo(201);
      Reply refused = http.put(path + "/" + name, object.formatted(kind, name, content));
      assertThat(refused.code()).isEqualTo(422);
      assertThat(refused.message()).contains(why);
      Reply labelled =
          http.put(
              path + "/" + name,
              object.formatted(kind, name, first).replace("'name'", "'labels':{'a':'b'},'name'"));
      assertThat(labelled.code()).isEqualTo(200);
    }
  }
}
