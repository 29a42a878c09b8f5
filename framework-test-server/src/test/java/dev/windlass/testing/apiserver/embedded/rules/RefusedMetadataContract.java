// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels, annotations and changes that both servers refuse, in the same words. */
abstract class RefusedMetadataContract {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String LONG = "x".repeat(64);

  private HttpProbe http;

  abstract TestApiServer server();

  @BeforeEach
  void connects() {
    http = HttpProbe.on(server());
  }

  private static String name() {
    return "refused-" + UUID.randomUUID().toString().substring(0, 8);
  }

  private static String map(String name, String metadata) {
    return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s'%s}}"
        .formatted(name, metadata);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          labels      | a      | LONG | "LONG": must be no more than 63 characters
          labels      | a      | -b   | "-b": a valid label must be an empty string or consist of
          labels      | a      | b c  | "b c": a valid label must be
          labels      | LONG   | v    | "LONG": name part must be no more than 63 characters
          labels      | a/b/c  | v    | "a/b/c": a qualified name must consist of alphanumeric characters
          labels      | /b     | v    | "/b": prefix part must be non-empty
          labels      | A.b/c  | v    | "A.b/c": prefix part a lowercase RFC 1123 subdomain must
          labels      | a/     | v    | "a/": name part must be non-empty
          annotations | b c    | v    | "b c": name part must consist of alphanumeric characters
          annotations | x/LONG | v    | "x/LONG": name part must be no more than 63 characters
          """)
  void refusesNamesAndValues(String field, String key, String value, String why) {
    String metadata =
        ",'%s':{'%s':'%s'}"
            .formatted(field, key.replace("LONG", LONG), value.replace("LONG", LONG));
    String name = name();
    Reply created = http.post(MAPS, map(name, metadata));
    assertThat(created.code()).isEqualTo(422);
    assertThat(created.reason()).isEqualTo("Invalid");
    assertThat(created.message())
        .contains("metadata." + field + ": Invalid value: " + why.replace("LONG", LONG));
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
