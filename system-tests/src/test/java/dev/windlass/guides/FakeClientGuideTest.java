// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

/** Samples of docs/guides/testing.md that need no server. */
final class FakeClientGuideTest {

  private static void reconcile(Client client, Widget widget) {
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(widget.getSpec().getSize());
    client.updateStatus(widget);
  }

  @Test
  void writesTheStatusAndThrowsOnAConflict() {
    // sample: fake
    EmbeddedApiServer server = EmbeddedApiServer.builder().withoutThreads().start();
    Client client = FakeClient.of(server, Widget.of("default", "first"));
    ObjectKey key = ObjectKey.of("default", "first");
    reconcile(client, client.get(Widget.class, key).orElseThrow());
    assertThat(client.get(Widget.class, key).orElseThrow().getStatus().getReady()).isEqualTo(1);

    server.fail(RequestMatcher.of(Verb.UPDATE, Widget.class, "status"), 409, 1);
    assertThatThrownBy(() -> reconcile(client, client.get(Widget.class, key).orElseThrow()))
        .isInstanceOf(ConflictException.class); // the controller tries again
    assertThat(server.requests()).filteredOn(request -> request.verb().isWrite()).hasSize(2);
    // end
  }

  @Test
  void losesAgainstAnotherWriter() {
    EmbeddedApiServer server = EmbeddedApiServer.builder().withoutThreads().start();
    Client client = FakeClient.of(server, Widget.of("default", "first"));
    Widget read = client.get(Widget.class, ObjectKey.of("default", "first")).orElseThrow();
    // sample: between
    server.beforeNext(
        RequestMatcher.of(Verb.UPDATE, Widget.class),
        () -> client.patch(read, ObjectPatch.merge("{\"spec\": {\"size\": 5}}")));
    assertThatThrownBy(() -> reconcile(client, read)).isInstanceOf(ConflictException.class);
    // end
  }

  /** A reconciler as a controller calls it. */
  private static Result keepPart(Widget widget, ReconcileContext context) {
    Owned.apply(context.client(), widget, part(widget));
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(context.secondaries(ConfigMap.class).size());
    context.client().updateStatus(widget);
    return Result.done();
  }

  private static ConfigMap part(Widget widget) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName())
        .endMetadata()
        .build();
  }

  @Test
  void callsAReconcilerWithAContext() {
    // sample: context
    Client client = FakeClient.of(Widget.of("default", "first"));
    ObjectKey key = ObjectKey.of("default", "first");
    Widget widget = client.get(Widget.class, key).orElseThrow();
    FakeContext context = FakeContext.of(client, widget);
    assertThat(keepPart(widget, context)).isEqualTo(Result.done());
    assertThat(context.secondary(ConfigMap.class)).isPresent();
    // end
    assertThat(Owned.apply(client, widget, part(widget)).result()).isEqualTo(Operation.Result.NONE);
  }
}
