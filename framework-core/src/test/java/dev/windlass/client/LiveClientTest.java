// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Http;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class LiveClientTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");
  private static final String MAPS = "/api/v1/namespaces/here/configmaps";
  private static final String MAP =
      """
      {"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"here","name":"a"}}""";

  /** Servers for tests stumble over parameters that they do not know. */
  private static final String NONE = "null";

  @AutoClose private final Http server = new Http();

  @AutoClose private final KubernetesClient fabric8 = server.newClient();

  private final Client client = new LiveClient(fabric8);

  private static ConfigMap map() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("here")
        .withName("a")
        .withUid("u1")
        .withResourceVersion("7")
        .endMetadata()
        .withData(Map.of("k", "v"))
        .build();
  }

  /** A request is a method with what follows the path of the ConfigMaps. */
  private record Case(
      String what, Consumer<Client> call, String request, String query, String type, String body) {
    String line() {
      return request.replace(" ", " " + MAPS);
    }
  }

  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String K_IS_V = "\"k\":\"v\"";

  private static Case patch(String what, Consumer<Client> call, String type, String body) {
    return new Case(what, call, "PATCH /a", NONE, type, body);
  }

  private static Case apply(String what, Consumer<Client> call, String query, String body) {
    return new Case(what, call, "PATCH /a", query, "application/apply-patch+yaml", body);
  }

  private static Case delete(String what, Consumer<Client> call, String body) {
    return new Case(what, call, "DELETE /a", NONE, JSON, body.replace('\'', '"'));
  }

  private static Consumer<Client> deleting(DeleteParams how) {
    return client -> client.delete(ConfigMap.class, KEY, how);
  }

  static Stream<Case> writes() {
    ConfigMap changed = new ConfigMapBuilder(map()).addToData("k", "w").build();
    String patchTo = "{\"data\":{\"k\":\"w\"}}";
    String locked = "{\"data\":{\"k\":\"w\"},\"metadata\":{\"resourceVersion\":\"7\"}}";
    DeleteParams exactly =
        DeleteParams.exactly(map())
            .withPropagation(DeleteParams.Propagation.FOREGROUND)
            .withGracePeriod(Duration.ofSeconds(3));
    ListParams some = ListParams.in("here").withLabels("a=b").withFields("metadata.name!=x");
    return Stream.of(
        new Case("create", c -> c.create(map()), "POST ", NONE, JSON, K_IS_V),
        new Case("update", c -> c.update(map()), "PUT /a", NONE, JSON, "\"7\""),
        new Case("status", c -> c.updateStatus(map()), "PUT /a/status", NONE, JSON, K_IS_V),
        new Case(
            "dry run of another owner",
            c -> c.withFieldOwner("me & you").dryRun().update(map()),
            "PUT /a",
            "fieldManager=me & you&dryRun=All",
            JSON,
            K_IS_V),
        new Case(
            "strict",
            c -> c.withFieldValidation(FieldValidation.STRICT).create(map()),
            "POST ",
            "fieldValidation=Strict",
            JSON,
            K_IS_V),
        patch("merge patch", c -> c.patch(map(), ObjectPatch.merge(patchTo)), MERGE, patchTo),
        patch("computed", c -> c.patch(changed, ObjectPatch.mergeFrom(map())), MERGE, patchTo),
        patch(
            "locked patch",
            c -> c.patch(changed, ObjectPatch.mergeFrom(map()).withOptimisticLock()),
            MERGE,
            locked),
        patch(
            "JSON patch",
            c -> c.patch(map(), ObjectPatch.json("[]")),
            "application/json-patch+json",
            "[]"),
        new Case(
            "strategic patch of the status",
            c -> c.status().patch(map(), ObjectPatch.strategic("{}")),
            "PATCH /a/status",
            NONE,
            "application/strategic-merge-patch+json",
            "{}"),
        apply(
            "apply",
            c -> c.withFieldOwner("me").apply(map()),
            "force=true&fieldManager=me",
            K_IS_V),
        apply(
            "apply that can only create",
            c -> c.withFieldOwner("me").applyNew(map()),
            "force=true&fieldManager=me",
            "\"name\":\"a\",\"namespace\":\"here\",\"resourceVersion\":\"1\"}"),
        apply(
            "apply without force",
            c -> c.withFieldOwner("me").withoutForce().apply(map()),
            "force=false&fieldManager=me",
            K_IS_V),
        delete(
            "delete",
            c -> c.delete(ConfigMap.class, KEY),
            "'kind':'DeleteOptions','propagationPolicy':'Background'}"),
        delete("dry run", c -> c.dryRun().delete(ConfigMap.class, KEY), "'dryRun':['All']"),
        delete(
            "delete this very object",
            deleting(exactly),
            "'gracePeriodSeconds':3,'preconditions':{'resourceVersion':'7','uid':'u1'},"
                + "'propagationPolicy':'Foreground'"),
        delete(
            "with this uid",
            deleting(DeleteParams.DEFAULT.withUid("u1")),
            "'preconditions':{'uid':'u1'}"),
        delete(
            "this version",
            deleting(DeleteParams.DEFAULT.withResourceVersion("7")),
            "'preconditions':{'resourceVersion':'7'}"),
        new Case(
            "delete many",
            c -> c.deleteAllOf(ConfigMap.class, some, DeleteParams.DEFAULT),
            "DELETE ",
            "labelSelector=a=b&fieldSelector=metadata.name!=x",
            JSON,
            "DeleteOptions"));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void sends(Case c) {
    server.answer(c.line(), MAP);
    c.call().accept(client);
    Http.Asked asked = server.asked().get(0);
    assertThat(server.asked()).hasSize(1);
    assertThat(asked.line()).isEqualTo(c.line());
    assertThat(asked.query()).isEqualTo(c.query());
    assertThat(asked.contentType()).startsWith(c.type());
    assertThat(asked.body()).contains(c.body());
  }

  /** Else the server would refuse it: "metadata.managedFields must be nil". */
  @Test
  void appliesNothingThatOnlyTheServerSays() {
    server.answer("PATCH " + MAPS + "/a", MAP);
    ConfigMap map =
        new ConfigMapBuilder(map())
            .editMetadata()
            .addNewManagedField()
            .withManager("x")
            .endManagedField()
            .endMetadata()
            .build();
    client.withFieldOwner("me").apply(map);
    assertThat(server.asked().get(0).body()).doesNotContain("managedFields", "resourceVersion");
    assertThat(map.getMetadata().getManagedFields()).as("the caller's stays as it is").hasSize(1);
    assertThat(map.getMetadata().getResourceVersion()).isEqualTo("7");
  }

  @Test
  void readsAListPageByPage() {
    server.answer(
        "GET " + MAPS,
        """
        {"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[\
        {"metadata":{"name":"x"}},{"metadata":{"name":"y"}}]}""");
    List<ConfigMap> found = client.list(ConfigMap.class, ListParams.in("here").withLabels("!a"));
    assertThat(found).extracting(map -> map.getMetadata().getName()).containsExactly("x", "y");
    assertThat(found).allSatisfy(map -> assertThat(map.getKind()).isEqualTo("ConfigMap"));
    assertThat(server.asked().get(0).query()).isEqualTo("labelSelector=!a&limit=500");
    assertThat(client.list(ConfigMap.class, ListParams.in("here").withLimit(2))).hasSize(2);
    assertThat(server.asked().get(1).query()).isEqualTo("limit=2");
    assertThat(server.asked()).extracting(Http.Asked::accept).containsOnly("application/json");
    client.reading(Projection.METADATA).list(ConfigMap.class, "here");
    assertThat(server.asked().get(2).accept()).contains("as=PartialObjectMetadataList");
  }

  /** The server forgets the rest of a list after five minutes; then all is read in one piece. */
  @Test
  void readsAListInOnePieceIfItsPagesExpire() {
    String page =
        """
        {"kind":"ConfigMapList","metadata":{"continue":"%s"},"items":[{"metadata":{"name":"%s"}}]}""";
    server.answer("GET " + MAPS + "?limit=500", page.formatted("token", "first"));
    server.fail("GET " + MAPS + "?limit=500&continue=token", 410);
    server.answer("GET " + MAPS + "?null", page.formatted("", "whole"));
    assertThat(client.list(ConfigMap.class, "here"))
        .extracting(map -> map.getMetadata().getName())
        .containsExactly("whole");
    server.answer("GET " + MAPS + "?limit=500&continue=token", page.formatted("", "second"));
    assertThat(client.list(ConfigMap.class, "here"))
        .extracting(map -> map.getMetadata().getName())
        .containsExactly("first", "second");
  }

  @Test
  void readsAndWritesTypesWithoutAClass() {
    ResourceType type = new ResourceType("x.dev", "v1", "gadgets", "Gadget", true);
    String path = "/apis/x.dev/v1/namespaces/here/gadgets";
    server.answer("GET " + path, "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}");
    server.answer(
        "GET " + path + "/a",
        "{\"apiVersion\":\"x.dev/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"a\",\"namespace\":\"here\"}}");
    server.answer(
        "GET /apis/x.dev/v1",
        """
        {"kind":"APIResourceList","groupVersion":"x.dev/v1","resources":[\
        {"name":"gadgets","kind":"Gadget","namespaced":true}]}""");
    server.answer(
        "PUT " + path + "/a",
        "{\"apiVersion\":\"x.dev/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"a\"}}");
    assertThat(client.list(type, ListParams.in("here")))
        .singleElement()
        .satisfies(
            gadget -> {
              assertThat(gadget.getKind()).isEqualTo("Gadget");
              assertThat(gadget.getApiVersion()).isEqualTo("x.dev/v1");
            });
    GenericKubernetesResource gadget = client.get(type, KEY).orElseThrow();
    client.update(gadget);
    client.update(gadget);
    assertThat(server.lines()).filteredOn(line -> line.equals("GET /apis/x.dev/v1")).hasSize(1);
    assertThat(client.get(type, ObjectKey.of("here", "absent"))).isEmpty();
    assertThat(client.delete(type, ObjectKey.of("here", "absent"), DeleteParams.DEFAULT)).isFalse();
    assertThat(client.delete(ConfigMap.class, ObjectKey.of("here", "absent"))).isFalse();
  }

  @Test
  void readsAndWritesSubresourcesOfTheirOwnType() {
    String path = "/apis/apps/v1/namespaces/here/deployments/a/scale";
    String scale = "{\"kind\":\"Scale\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"replicas\":3}}";
    server.answer("GET " + path, scale);
    server.answer("PUT " + path, scale);
    SubresourceClient scales = client.subresource("scale");
    assertThat(scales.read(Deployment.class, KEY, Scale.class).getSpec().getReplicas())
        .isEqualTo(3);
    Scale five = new ScaleBuilder().withNewSpec().withReplicas(5).endSpec().build();
    assertThat(scales.replace(Deployment.class, KEY, five).getSpec().getReplicas()).isEqualTo(3);
    assertThat(server.asked().get(1).body()).contains("\"replicas\":5");
    assertThatThrownBy(() -> client.subresource("a/b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a/b' can't be a subresource");
  }

  /** A quota reports a conflict, too. */
  @Test
  void tellsAnExistingObjectFromOtherConflictsOfACreation() {
    String item = MAPS + "/a";
    server.fail("PATCH " + item, 409, "Conflict", "try again");
    server.answer("GET " + item, MAP);
    Client owner = client.withFieldOwner("me");
    assertThatThrownBy(() -> owner.applyNew(map()))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessage("can't create configmaps here/a: it already exists");
    server.failAsAbsent("GET " + item);
    assertThatThrownBy(() -> owner.applyNew(map()))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("try again");
  }

  /** As fabric8's mock server. */
  @ParameterizedTest
  @ValueSource(ints = {404, 405, 415})
  void createsByPostIfTheServerHasNoApply(int code) {
    server.fail("PATCH " + MAPS + "/a", code);
    server.answer("POST " + MAPS, MAP);
    client.withFieldOwner("me").applyNew(map());
    assertThat(server.asked().get(1).query()).isEqualTo("fieldManager=me");
    assertThat(server.asked().get(1).body()).doesNotContain("uid", "resourceVersion");
  }

  /** The server reports it as an internal error, which it is not. */
  @Test
  void refusesAConfigurationThatNoApplyCanExpress() {
    String said = "failed to create typed patch object (x): .spec: duplicate entries for key [a]";
    server.fail("PATCH " + MAPS + "/a", 500, "", said);
    assertThatThrownBy(() -> client.withFieldOwner("me").apply(map()))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("duplicate entries")
        .hasMessageEndingWith(FailureAdvice.of(FailureCause.INVALID).toString());
  }

  private record Refusal(
      int code, String reason, Class<? extends ApiException> type, FailureCause problem) {
    FailureAdvice advice() {
      return FailureAdvice.of(problem)
          .about(new RequiredPermission(List.of("update"), "configmaps", "", "here"));
    }
  }

  static Stream<Refusal> refusals() {
    return Stream.of(
        new Refusal(404, "NotFound", ApiException.class, FailureCause.UNKNOWN_TYPE),
        new Refusal(409, "Conflict", ConflictException.class, FailureCause.CONFLICT),
        new Refusal(
            409, "AlreadyExists", AlreadyExistsException.class, FailureCause.ALREADY_EXISTS),
        new Refusal(403, "Forbidden", ForbiddenException.class, FailureCause.FORBIDDEN),
        new Refusal(422, "Invalid", InvalidException.class, FailureCause.INVALID),
        new Refusal(
            429, "TooManyRequests", TooManyRequestsException.class, FailureCause.TOO_MANY_REQUESTS),
        new Refusal(500, "InternalError", ApiException.class, FailureCause.SERVER_ERROR));
  }

  /** Absence is only what an API server says of the object. */
  @ParameterizedTest
  @ValueSource(strings = {"", "404 page not found", "<html>Not Found</html>", "{\"code\":404}"})
  void takesNoOther404ForAbsence(String body) {
    String item = MAPS + "/a";
    List.of("GET", "PUT", "DELETE", "PATCH")
        .forEach(method -> server.failWith(method + " " + item, 404, body));
    ObjectKey key = ObjectKey.of("here", "a");
    List<ThrowingCallable> requests =
        List.of(
            () -> client.get(ConfigMap.class, key),
            () -> client.update(map()),
            () -> client.delete(ConfigMap.class, key),
            () -> client.patch(map(), ObjectPatch.merge("{}")));
    requests.forEach(
        request -> assertThatThrownBy(request).isExactlyInstanceOf(ApiException.class));
  }

  /** What leads to different decisions is told apart by type. */
  @ParameterizedTest
  @MethodSource("refusals")
  void tellsRefusalsApart(Refusal c) {
    server.fail("PUT " + MAPS + "/a", c.code(), c.reason(), "because\\nof that");
    assertThatThrownBy(() -> client.update(map()))
        .isExactlyInstanceOf(c.type())
        .hasMessage(
            "can't update configmaps here/a: because\\u000aof that (HTTP %d %s). %s",
            c.code(), c.reason(), c.advice())
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.getCode()).isEqualTo(c.code()));
    assertThat(server.lines()).as("asked once").hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "429, 6, 0, 6",
    "429, '', 6, 6",
    "429, 6, 7, 7",
    "429, soon, 0, 0",
    "503, 6, 0, 6",
    "503, '', 6, 6",
    "503, '', 0, 0"
  })
  void readsTheDelayThatAnOverloadedServerRequests(
      int code, String header, int inBody, int seconds) {
    server.failWithDelay("PUT " + MAPS + "/a", code, header, inBody);
    assertThatThrownBy(() -> client.update(map()))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
  }

  @Test
  void saysThatNoAnswerCame() {
    server.close();
    assertThatThrownBy(() -> client.update(map()))
        .isExactlyInstanceOf(ApiException.class)
        .hasMessageStartingWith("can't update configmaps here/a: no response from http://127.0.0.1")
        .hasMessageEndingWith(
            "; it is unknown whether the server has done it. "
                + FailureCause.UNREACHABLE.sentence());
  }

  @Test
  void saysThatTheAnswerDoesNotFitTheClass() {
    server.answer("GET " + MAPS + "/a", "{\"kind\":\"ConfigMap\",\"metadata\":7}");
    assertThatThrownBy(() -> client.get(ConfigMap.class, KEY))
        .isExactlyInstanceOf(ApiException.class)
        .hasMessageContaining("can't read the response to get configmaps here/a")
        .hasMessageEndingWith(FailureCause.CLASS_MISMATCH.sentence());
  }

  @Test
  void keepsTheInterruptOfAWaitingThread() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> client.get(ConfigMap.class, KEY))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("the wait was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  private record Misuse(String what, Consumer<Client> call, String sentence) {}

  private static HasMetadata homeless() {
    return new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().build();
  }

  static Stream<Misuse> misuses() {
    return Stream.of(
        new Misuse("create", c -> c.create(homeless()), "set metadata.namespace"),
        new Misuse(
            "create nothing", c -> c.create(new ConfigMap()), "without metadata can't be created"),
        new Misuse("update", c -> c.update(homeless()), "'a' names no namespace"),
        new Misuse(
            "delete all of all namespaces",
            c -> c.deleteAllOf(ConfigMap.class, ListParams.ALL, DeleteParams.DEFAULT),
            "can't delete all configmaps/v1 in all namespaces at once; name one"),
        new Misuse(
            "delete by index",
            c ->
                c.deleteAllOf(
                    ConfigMap.class, ListParams.in("x").withIndex("i", "v"), DeleteParams.DEFAULT),
            "by an index or with a limit"),
        new Misuse(
            "fields", c -> ListParams.ALL.withFields("a=b=c"), "not a field selector: 'a=b=c'"),
        new Misuse("negative limit", c -> ListParams.ALL.withLimit(-1), "0 or more, not -1"),
        new Misuse(
            "index and field",
            c -> ListParams.ALL.withIndex("i", "v").withFields("a=b"),
            "define one index for both"),
        new Misuse(
            "38: a parent directory",
            c -> c.get(ConfigMap.class, ObjectKey.of("here", "..")),
            "'..' can't be the name of an object"),
        new Misuse(
            "38: an encoded path",
            c -> c.get(ConfigMap.class, ObjectKey.of("here", "..%2f..%2fsecrets")),
            "can't be the name of an object"),
        new Misuse(
            "38: a path in the namespace",
            c -> c.list(ConfigMap.class, ListParams.in("../kube-system")),
            "can't be the name of a namespace"),
        new Misuse("owner", c -> c.withFieldOwner(""), "must be 1 to 128 bytes"),
        new Misuse(
            "grace",
            c -> DeleteParams.DEFAULT.withGracePeriod(Duration.ofSeconds(-1)),
            "zero or more, not -1 s"),
        new Misuse(
            "never read", c -> DeleteParams.exactly(homeless()), "read it from the server first"),
        new Misuse(
            "generic without kind",
            c -> c.update(new GenericKubernetesResource()),
            "needs apiVersion and kind"));
  }

  @ParameterizedTest
  @MethodSource("misuses")
  void refusesWithASentence(Misuse c) {
    assertThatThrownBy(() -> c.call().accept(client))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(c.sentence());
    assertThat(server.lines()).isEmpty();
  }

  @Test
  void refusesToListByAnIndexThatOnlyCachesHave() {
    assertThatThrownBy(
            () -> client.list(ConfigMap.class, ListParams.in("x").withIndex("owner", "y")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "by the index owner requires a cache, and this client reads from the server");
    assertThatThrownBy(() -> ObjectPatch.merge("{}").withOptimisticLock())
        .isInstanceOf(IllegalStateException.class);
  }
}
