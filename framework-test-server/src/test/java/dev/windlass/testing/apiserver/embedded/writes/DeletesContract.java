// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where both servers read the options of a deletion, and what becomes of the finalizers. */
abstract class DeletesContract {

  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  abstract TestApiServer server();

  /**
   * Each row is a kind, the finalizers beside "x.y/held", the query, the body, and either the
   * finalizers after the deletion, "kept" if the object is not being deleted, or the status code. A
   * body overrides the whole query, and an explicit policy overrides the finalizers.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          map |                    |                              |                                  |
          map |                    | dryRun=All                   |                                  | kept
          map |                    | dryRun=All                   | {}                               |
          map |                    | dryRun=All                   | {'gracePeriodSeconds':0}         |
          map |                    |                              | {'dryRun':['All']}               | kept
          map |                    | dryRun=All                   | {'dryRun':[]}                    |
          map |                    | dryRun=x                     |                                  | 422
          map |                    | dryRun=x                     | {}                               |
          map |                    |                              | {'dryRun':['x']}                 | 422
          map |                    | propagationPolicy=Foreground |                                  | foregroundDeletion
          map |                    | propagationPolicy=Foreground | {}                               |
          map |                    | propagationPolicy=Foreground | {'propagationPolicy':'Orphan'}   | orphan
          map |                    | orphanDependents=true        |                                  | orphan
          map |                    | gracePeriodSeconds=30        |                                  |
          map |                    | gracePeriodSeconds=x         |                                  | 400
          map |                    | uid=x                        |                                  | 409
          map |                    | uid=x                        | {}                               |
          map |                    |                              | {'preconditions':{'uid':'x'}}    | 409
          map |                    | resourceVersion=1            |                                  | 409
          map |                    |                              | {'preconditions':{'resourceVersion':'1'}} | 409
          map | orphan             |                              |                                  | orphan
          map | orphan             |                              | {'propagationPolicy':'Background'} |
          map | orphan             |                              | {'propagationPolicy':'Foreground'} | foregroundDeletion
          map | foregroundDeletion |                              |                                  | foregroundDeletion
          map | foregroundDeletion |                              | {'propagationPolicy':'Background'} |
          job |                    |                              |                                  | orphan
          job |                    |                              | {'gracePeriodSeconds':0}         | orphan
          job |                    |                              | {'propagationPolicy':'Background'} |
          job |                    |                              | {'orphanDependents':false}       |
          job | foregroundDeletion |                              |                                  | foregroundDeletion
          """)
  void readsTheBodyOrElseTheQuery(
      String kind,
      @Nullable String finalizers,
      @Nullable String query,
      @Nullable String body,
      @Nullable String expected) {
    for (boolean collection : new boolean[] {false, true}) {
      HttpProbe http = HttpProbe.on(server());
      String name = "deletes-" + UUID.randomUUID();
      String list = kind.equals("map") ? HttpProbe.CONFIG_MAPS : JOBS;
      String held = finalizers == null ? "'x.y/held'" : "'x.y/held','%s'".formatted(finalizers);
      String spec =
          kind.equals("map")
              ? ""
              : """
                ,'spec':{'suspend':true,'template':{'spec':{'restartPolicy':'Never',
                'containers':[{'name':'c','image':'i'}]}}}
                """;
      String object = "{'metadata':{'name':'%s','finalizers':[%s]}%s}".formatted(name, held, spec);
      assertThat(http.post(list, object).code()).isEqualTo(201);
      String which =
          collection ? list + "?fieldSelector=metadata.name%3D" + name : list + "/" + name + "?";
      String target = query == null ? which : which + "&" + query;

      Reply reply = body == null ? http.delete(target) : http.delete(target, body);

      Reply after = http.get(list + "/" + name);
      String outcome = reply.code() < 300 ? finalizers(after) : Integer.toString(reply.code());
      String as = collection ? "deletecollection" : "delete";
      assertThat(outcome).as(as + reply.text()).isEqualTo(Objects.requireNonNullElse(expected, ""));
      http.patch(list + "/" + name, "merge", "{'metadata':{'finalizers':null}}");
      http.delete(list + "/" + name, "{'propagationPolicy':'Background'}");
    }
  }

  private static String finalizers(Reply object) {
    if (object.at("/metadata/deletionTimestamp").isEmpty()) {
      return "kept";
    }
    StringJoiner names = new StringJoiner(",");
    for (JsonNode name : object.json().at("/metadata/finalizers")) {
      if (!name.asText().equals("x.y/held")) {
        names.add(name.asText());
      }
    }
    return names.toString();
  }
}
