// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.client.FakeCall;
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
    FakeClient client = FakeClient.of(Widget.of("default", "first"));
    ObjectKey key = ObjectKey.of("default", "first");
    reconcile(client, client.get(Widget.class, key).orElseThrow());
    assertThat(client.get(Widget.class, key).orElseThrow().getStatus().getReady()).isEqualTo(1);

    client.failingOnce(
        FakeCall.of("update", Widget.class, "status"),
        new ConflictException("changed by another writer"));
    assertThatThrownBy(() -> reconcile(client, client.get(Widget.class, key).orElseThrow()))
        .isInstanceOf(ConflictException.class); // the controller tries again
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
    FakeClient client = FakeClient.of(Widget.of("default", "first"));
    ObjectKey key = ObjectKey.of("default", "first");
    Widget widget = client.get(Widget.class, key).orElseThrow();
    FakeContext context = FakeContext.of(client, widget);
    assertThat(keepPart(widget, context)).isEqualTo(Result.done());
    assertThat(context.secondary(ConfigMap.class)).isPresent();

    client.failing(
        FakeCall.of("update", Widget.class, "status"), new ApiException("out of order", 500));
    assertThatThrownBy(() -> keepPart(widget, context)).isInstanceOf(ApiException.class);
    // end
    assertThat(Owned.apply(client, widget, part(widget)).result()).isEqualTo(Operation.Result.NONE);
  }
}
