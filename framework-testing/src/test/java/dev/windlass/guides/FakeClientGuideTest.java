// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.client.FakeCall;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.owned.Widget;
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
        new ConflictException("somebody was faster"));
    assertThatThrownBy(() -> reconcile(client, client.get(Widget.class, key).orElseThrow()))
        .isInstanceOf(ConflictException.class); // the controller tries again
    // end
  }
}
