// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.pipeline.WriteHook.Sent;
import dev.windlass.client.pipeline.WriterContext.Write;
import dev.windlass.leader.Fence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReconcileWritesTest {

  private static final String VERSION_6 =
      "{\"metadata\":{\"name\":\"map\",\"resourceVersion\":\"6\"}}";

  private final List<Write> observed = new ArrayList<>();
  private final List<String> outcomes = new ArrayList<>();
  private final WriterContext scope =
      new WriterContext("foo", Fence.OPEN)
          .observedBy(
              write -> {
                observed.add(write);
                return (name, version) -> outcomes.add(name + "@" + version);
              });

  private WriteRequest write(
      String method, String name, String subresource, boolean dryRun, @Nullable String body) {
    return new WriteRequest(
        method,
        "apps",
        "v1",
        "deployments",
        "here",
        name,
        subresource,
        dryRun,
        () -> body,
        Optional.of(scope));
  }

  private Sent before(WriteRequest write) {
    return new ReconcileWrites("east").before(write);
  }

  /** Each way to write, with what the body says of the version that it replaces. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      nullValues = "null",
      textBlock =
          """
          POST   |     |        | false | {}                                    | 0
          POST   |     |        | true  | {}                                    | none
          POST   | map | status | false | {}                                    | none
          PUT    | map |        | false | {"metadata":{"resourceVersion":"6"}}  | 6
          PUT    | map | status | false | {"metadata":{"resourceVersion":"6"}}  | 6
          PUT    | map |        | true  | {"metadata":{"resourceVersion":"6"}}  | none
          PUT    | map |        | false | {"metadata":{"resourceVersion":""}}   | none
          PUT    | map |        | false | {"metadata":{"resourceVersion":"x"}}  | none
          PUT    | map |        | false | {"spec":{"resourceVersion":"6"}}      | none
          PUT    | map |        | false | {}                                    | none
          PUT    | map |        | false | null                                  | none
          PATCH  | map |        | false | {"metadata":{"resourceVersion":"6"}}  | 6
          PATCH  | map |        | false | {"metadata":{"resourceVersion":"1"}}  | 0
          PATCH  | map |        | true  | {"metadata":{"resourceVersion":"1"}}  | none
          PATCH  | map |        | false | {"metadata":{"labels":{"a":"b"}}}     | none
          PATCH  | map |        | false | [{"path":"/metadata/resourceVersion"}]| none
          PATCH  | map |        | false | [{"path":"/metadata/resourceVersion","value":"6"}] | 6
          PATCH  | map |        | false | [{"path":"/metadata/labels","value":"6"}] | none
          PATCH  | map |        | false | metadata: {resourceVersion: '6'}      | none
          DELETE | map |        | false | {"metadata":{"resourceVersion":"6"}}  | none
          DELETE |     |        | false | null                                  | none
          """)
  void reportsTheWritesThatProveWhatTheyReplace(
      String method,
      @Nullable String name,
      @Nullable String subresource,
      boolean dryRun,
      @Nullable String body,
      String replaced) {
    before(
        write(
            method,
            name == null ? "" : name,
            subresource == null ? "" : subresource,
            dryRun,
            body));
    if (replaced.equals("none")) {
      assertThat(observed).isEmpty();
    } else {
      assertThat(observed)
          .containsExactly(
              new Write("east", "apps", "deployments", "here", Long.parseLong(replaced)));
    }
  }

  @Test
  void reportsTheOutcome() {
    WriteRequest post = write("POST", "", "", false, "{}");
    before(post).ended(new WriteResponse(201, VERSION_6.getBytes(StandardCharsets.UTF_8)));
    before(post).ended(new WriteResponse(201, "no JSON".getBytes(StandardCharsets.UTF_8)));
    before(post).ended(new WriteResponse(201, new byte[0]));
    before(post).ended(new WriteResponse(409, VERSION_6.getBytes(StandardCharsets.UTF_8)));
    before(post).ended(new WriteResponse(0, new byte[0]));
    before(post).refused();
    assertThat(outcomes).containsExactly("map@6", "@-1", "@-1", "@-1", "@-1", "@-1");
  }

  /** The server ignores the version if the object has been deleted in the meantime. */
  @ParameterizedTest
  @ValueSource(strings = {"PUT", "PATCH"})
  void provesNothingIfTheObjectWasCreatedInstead(String method) {
    WriteRequest write = write(method, "map", "", false, VERSION_6.replace("6", "5"));
    before(write).ended(new WriteResponse(201, VERSION_6.getBytes(StandardCharsets.UTF_8)));
    before(write).ended(new WriteResponse(200, VERSION_6.getBytes(StandardCharsets.UTF_8)));
    assertThat(outcomes).containsExactly("@-1", "map@6");
  }

  @Test
  void reportsWhatAnApplyHasCreatedThatCanOnlyCreate() {
    WriteRequest write = write("PATCH", "map", "", false, VERSION_6.replace("6", "1"));
    before(write).ended(new WriteResponse(201, VERSION_6.getBytes(StandardCharsets.UTF_8)));
    assertThat(outcomes).containsExactly("map@6");
  }

  @Test
  void readsNoBodyUnlessTheWritesAreObserved() {
    ReconcileWrites hook = new ReconcileWrites("");
    assertThat(hook.before(unread(Optional.empty()))).isSameAs(Sent.IGNORED);
    WriterContext unobserved = new WriterContext("foo", Fence.OPEN);
    assertThat(hook.before(unread(Optional.of(unobserved)))).isSameAs(Sent.IGNORED);
  }

  private static WriteRequest unread(Optional<WriterContext> writer) {
    return new WriteRequest(
        "PUT",
        "",
        "v1",
        "pods",
        "here",
        "a",
        "",
        false,
        () -> raise(new AssertionError("read")),
        writer);
  }
}
