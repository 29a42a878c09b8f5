// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.client.FakeCall;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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

  @Test
  void holdsTheInitialObjectsWithTheirStatus() {
    Widget widget = Widget.of("here", "a");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(3);
    FakeClient client = FakeClient.of(widget, map("m", "1"));
    assertThat(client.calls()).isEmpty();
    Widget read = client.get(Widget.class, KEY).orElseThrow();
    assertThat(read.getStatus().getReady()).isEqualTo(3);
    assertThat(read.getMetadata().getUid()).isNotEmpty();
    assertThat(client.list(ConfigMap.class, "")).hasSize(1);
    assertThat(client.get(Pod.class, KEY)).isEmpty();
  }

  /** As the client of a manager does. */
  @Test
  void refusesANamespaceForATypeThatHasNone() {
    FakeClient client = FakeClient.of();
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
    FakeClient client = FakeClient.of(Widget.of("here", "a"));
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
  void keepsTheStatusInTheObjectIfToldTo() {
    Client client = FakeClient.builder().withoutStatusSubresource(Widget.class).build();
    Widget widget = Widget.of("here", "a");
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(5);
    assertThat(client.create(widget).getStatus().getReady()).isEqualTo(5);
  }

  @Test
  void selects() {
    FakeClient client =
        FakeClient.builder()
            .objects(map("a", "1"), map("b", "2"), map("c", "2"))
            .index(ConfigMap.class, "data", m -> m.getData().values())
            .build();
    assertThat(client.list(ConfigMap.class, ListParams.in("here").withLabels("value=2")))
        .hasSize(2);
    assertThat(client.list(ConfigMap.class, ListParams.in("there"))).isEmpty();
    assertThat(client.list(ConfigMap.class, ListParams.ALL.withLimit(2))).hasSize(2);
    assertThat(client.list(ConfigMap.class, ListParams.ALL.withIndex("data", "1"))).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.list(ConfigMap.class, ListParams.ALL.withIndex("none", "1")))
        .withMessageContaining("add it with FakeClient.builder().index(...)");
    client.deleteAllOf(
        ConfigMap.class, ListParams.in("here").withLabels("value=2"), DeleteParams.DEFAULT);
    assertThat(client.list(ConfigMap.class, "here")).hasSize(1);
  }

  @Test
  void servesTypesWithoutAClass() {
    FakeClient client = FakeClient.of(Widget.of("here", "a"));
    ResourceType type = ResourceType.of(Widget.class);
    GenericKubernetesResource widget = client.get(type, KEY).orElseThrow();
    assertThat(client.list(type, ListParams.ALL)).hasSize(1);
    widget.getMetadata().setLabels(Map.of("l", "1"));
    assertThat(client.update(widget).getMetadata().getLabels()).containsEntry("l", "1");
    assertThat(client.delete(type, KEY, DeleteParams.DEFAULT)).isTrue();
  }

  @Test
  void failsAsOrdered() {
    FakeClient client =
        FakeClient.of(map("a", "1"))
            .failingOnce(FakeCall.of("update", ConfigMap.class), new ConflictException("late"));
    ConfigMap now = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThatThrownBy(() -> client.update(now)).isInstanceOf(ConflictException.class);
    client.update(now);
    client.failing(FakeCall::isWrite, new NotFoundException("gone"));
    assertThatThrownBy(() -> client.withFieldOwner("x").apply(now))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> client.create(now)).isInstanceOf(NotFoundException.class);
    client.heal();
    client.delete(ConfigMap.class, KEY);
    assertThat(client.calls())
        .extracting(FakeCall::toString)
        .containsExactly(
            "get configmaps here/a",
            "update configmaps here/a",
            "update configmaps here/a",
            "apply configmaps here/a",
            "create configmaps here/a",
            "delete configmaps here/a");
  }

  @Test
  void letsAnotherWriterComeBetween() {
    FakeClient client = FakeClient.of(map("a", "1"));
    client.onCall(
        FakeCall.of("update", ConfigMap.class),
        call -> client.patch(map("a", ""), ObjectPatch.merge("{\"data\":{\"m\":\"1\"}}")));
    ConfigMap old = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThatThrownBy(() -> client.update(new ConfigMapBuilder(old).addToData("k", "2").build()))
        .isInstanceOf(ConflictException.class);
  }

  @Test
  void namesWhatToUseInstead() {
    FakeClient client = FakeClient.of();
    assertThatThrownBy(
            () -> client.subresource("eviction").create(Pod.class, KEY, Map.of(), Map.class))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("use a RealApiServer");
  }

  @Test
  void refusesAVerbThatNoCallHas() {
    assertThatThrownBy(() -> FakeCall.of("updateStatus", Widget.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the verb 'updateStatus'")
        .hasMessageContaining("applyNew");
  }

  /** As a client with caches reads: an object that lacks something can't be sent back. */
  @Test
  void readsAPartOfAnObject() {
    FakeClient client = FakeClient.of(map("a", "v"));
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
    FakeClient client = FakeClient.of(Widget.of("default", "w"));
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
