// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ForbiddenException;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FakeClientTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("here")
        .withName(name)
        .addToLabels("value", value)
        .endMetadata()
        .addToData("k", value)
        .build();
  }

  private final EmbeddedApiServer server = EmbeddedApiServer.builder().withoutThreads().start();

  @Test
  void holdsTheInitialObjectsWithTheirStatus() {
    Widget widget = Widget.of("here", "a");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(3);
    Client client = FakeClient.of(server, widget, map("m", "1"));
    assertThat(server.requests()).isEmpty();
    Widget read = client.get(Widget.class, KEY).orElseThrow();
    assertThat(read.getStatus().getReady()).isEqualTo(3);
    assertThat(read.getMetadata().getUid()).isNotEmpty();
    assertThat(client.list(ConfigMap.class, "")).hasSize(1);
    assertThat(client.get(Pod.class, KEY)).isEmpty();
    assertThat(FakeClient.of(server, map("n", "1")).list(ConfigMap.class, "here")).hasSize(2);
  }

  /** As the client of a manager does. */
  @Test
  void refusesANamespaceForATypeThatHasNone() {
    Client client = FakeClient.of();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.get(ClusterRole.class, KEY))
        .withMessageContaining("ClusterRole is a cluster-scoped type");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.list(ClusterRole.class, "here"))
        .withMessageContaining("ClusterRole is a cluster-scoped type");
    assertThatIllegalArgumentException().isThrownBy(() -> client.delete(ClusterRole.class, KEY));
  }

  @Test
  void keepsTheStatusApart() {
    Client client = FakeClient.of(Widget.of("here", "a"));
    Widget widget = client.get(Widget.class, KEY).orElseThrow();
    widget.getSpec().setSize(5);
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(5);
    Widget updated = client.update(widget);
    assertThat(updated.getStatus()).isNull();
    assertThat(updated.getMetadata().getGeneration()).isEqualTo(2);
    updated.getSpec().setSize(6);
    updated.setStatus(widget.getStatus());
    Widget after = client.updateStatus(updated);
    assertThat(after.getStatus().getReady()).isEqualTo(5);
    assertThat(after.getSpec().getSize()).isEqualTo(5);
  }

  @Test
  void usesTheDefinitionThatIsInstalled() {
    server.install(OpenDefinition.of("owned.windlass.dev", "v1", "Widget", "widgets", true, false));
    Widget widget = Widget.of("here", "a");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(5);
    Client client = FakeClient.of(server, widget);
    assertThat(client.get(widget).orElseThrow().getStatus().getReady()).isEqualTo(5);
    assertThatThrownBy(() -> client.updateStatus(widget)).isInstanceOf(ApiException.class);
  }

  @Test
  void selects() {
    Client client = FakeClient.of(map("a", "1"), map("b", "2"), map("c", "2"));
    assertThat(client.list(ConfigMap.class, ListParams.in("here").withLabels("value=2")))
        .hasSize(2);
    assertThat(client.list(ConfigMap.class, ListParams.in("there"))).isEmpty();
    assertThat(client.list(ConfigMap.class, ListParams.ALL.withLimit(2))).hasSize(2);
    assertThatIllegalStateException()
        .isThrownBy(() -> client.list(ConfigMap.class, ListParams.ALL.withIndex("data", "1")))
        .withMessageContaining("by the index data requires a cache");
    client.deleteAllOf(
        ConfigMap.class, ListParams.in("here").withLabels("value=2"), DeleteParams.DEFAULT);
    assertThat(client.list(ConfigMap.class, "here")).hasSize(1);
  }

  @Test
  void servesTypesWithoutAClass() {
    Client client = FakeClient.of(Widget.of("here", "a"));
    ResourceType type = ResourceType.of(Widget.class);
    GenericKubernetesResource widget = client.get(type, KEY).orElseThrow();
    assertThat(client.list(type, ListParams.ALL)).hasSize(1);
    widget.getMetadata().setLabels(Map.of("l", "1"));
    assertThat(client.update(widget).getMetadata().getLabels()).containsEntry("l", "1");
    assertThat(client.delete(type, KEY, DeleteParams.DEFAULT)).isTrue();
  }

  @Test
  void failsAsOrdered() {
    Client client = FakeClient.of(server, map("a", "1"));
    server.fail(RequestMatcher.of(Verb.UPDATE, ConfigMap.class), 409, 1);
    ConfigMap now = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThatThrownBy(() -> client.update(now)).isInstanceOf(ConflictException.class);
    client.update(now);
    server.fail(request -> request.verb().isWrite(), 403, 2);
    assertThatThrownBy(() -> client.withFieldOwner("x").apply(map("b", "1")))
        .isInstanceOf(ForbiddenException.class);
    assertThatThrownBy(() -> client.create(now)).isInstanceOf(ForbiddenException.class);
    server.fail(RequestMatcher.of(Verb.CREATE, ConfigMap.class), 409, 1);
    assertThatThrownBy(() -> client.create(map("c", "1")))
        .isInstanceOf(AlreadyExistsException.class);
    server.fail(RequestMatcher.of(Verb.DELETE, ConfigMap.class), 500, 100);
    server.healFaults();
    client.delete(ConfigMap.class, KEY);
    assertThat(server.requests())
        .extracting(RecordedRequest::toString)
        .containsExactly(
            "get configmaps here/a",
            "update configmaps here/a",
            "update configmaps here/a",
            "patch configmaps here/b",
            "create configmaps here",
            "create configmaps here",
            "delete configmaps here/a");
  }

  @Test
  void failsRequestsForASubresource() {
    Widget widget = Widget.of("here", "a");
    widget.setStatus(new Widget.Status());
    Client client = FakeClient.of(server, widget);
    server.fail(RequestMatcher.of(Verb.UPDATE, Widget.class, "status"), 422, 1);
    Widget read = client.update(client.get(Widget.class, KEY).orElseThrow());
    assertThatThrownBy(() -> client.updateStatus(read)).isInstanceOf(InvalidException.class);
  }

  @Test
  void letsAnotherWriterComeBetween() {
    Client client = FakeClient.of(server, map("a", "1"));
    server.beforeNext(
        RequestMatcher.of(Verb.UPDATE, ConfigMap.class),
        () -> client.patch(map("a", ""), ObjectPatch.merge("{\"data\":{\"m\":\"1\"}}")));
    ConfigMap old = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThatThrownBy(() -> client.update(new ConfigMapBuilder(old).addToData("k", "2").build()))
        .isInstanceOf(ConflictException.class);
  }

  /** What the server does after a request is done when the call returns. */
  @Test
  void emptiesADeletedNamespaceAtOnce() {
    Client client = FakeClient.of(map("a", "1"));
    assertThat(client.delete(Namespace.class, ObjectKey.of("here"))).isTrue();
    assertThat(client.get(Namespace.class, ObjectKey.of("here"))).isEmpty();
    assertThat(client.get(ConfigMap.class, KEY)).isEmpty();
  }

  @Test
  void collectsGarbageOnlyOnAServerThatDoes() {
    ConfigMap orphan = map("a", "1");
    OwnerReference gone = new OwnerReference("v1", true, true, "ConfigMap", "gone", "1-2-3");
    orphan.getMetadata().setOwnerReferences(List.of(gone));
    assertThat(FakeClient.of(orphan).get(ConfigMap.class, KEY)).isPresent();
    assertThat(FakeClient.of(server, orphan).get(ConfigMap.class, KEY)).isEmpty();
  }

  /** As a client with caches reads: an object that lacks something can't be sent back. */
  @Test
  void readsAPartOfAnObject() {
    Client client = FakeClient.of(map("a", "v"));
    for (Client reader :
        List.of(
            client.reading(Transform.dropFields("data")), client.reading(Projection.METADATA))) {
      ConfigMap read = reader.get(ConfigMap.class, KEY).orElseThrow();
      assertThat(read.getData()).isEmpty();
      assertThat(read.getMetadata().getLabels()).containsEntry("value", "v");
      assertThat(reader.list(ConfigMap.class, "here").get(0).getData()).isEmpty();
      assertThat(
              reader.get(ResourceType.of(ConfigMap.class), KEY).orElseThrow().<Object>get("data"))
          .isNull();
      assertThatThrownBy(() -> client.update(read))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("would delete the fields that it lacks");
    }
    assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getData()).containsEntry("k", "v");
  }

  @Test
  void cancelsAContext() {
    Client client = FakeClient.of(Widget.of("default", "w"));
    Widget widget = client.get(Widget.class, ObjectKey.of("default", "w")).orElseThrow();
    FakeContext context =
        FakeContext.of(client, widget).withAttempt(3).withTimeLeft(Duration.ofSeconds(5));
    List<String> news = new ArrayList<>();
    context.onCancel(() -> news.add("before"));
    assertThat(context.isCancelled()).isFalse();
    assertThat(context.attempt()).isEqualTo(3);
    assertThat(context.timeLeft()).contains(Duration.ofSeconds(5));
    assertThat(context.request()).isEqualTo(Request.of("default/w"));
    context.cancel();
    context.onCancel(() -> news.add("after"));
    assertThat(context.isCancelled()).isTrue();
    assertThat(news).containsExactly("before", "after");
    assertThatThrownBy(
            () -> FakeContext.of(client, Widget.of("default", "x")).secondaries(ConfigMap.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no uid");
  }
}
