// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;

/** The destination of Events. The methods block until the server has responded. */
interface EventSink {

  void create(Event event);

  /**
   * Updates the series of an existing Event.
   *
   * @return whether the Event exists
   */
  boolean update(Event event);

  static EventSink to(KubernetesClient client) {
    return new EventSink() {
      @Override
      public void create(Event event) {
        client.events().v1().events().resource(event).create();
      }

      @Override
      public boolean update(Event event) {
        // Send only the series, because the server accepts no other changes.
        Event change =
            new EventBuilder()
                .withNewMetadata()
                .withName(event.getMetadata().getName())
                .withNamespace(event.getMetadata().getNamespace())
                .endMetadata()
                .withSeries(event.getSeries())
                .build();
        try {
          client
              .events()
              .v1()
              .events()
              .resource(change)
              .patch(PatchContext.of(PatchType.JSON_MERGE), change);
          return true;
        } catch (KubernetesClientException e) {
          if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
            return false;
          }
          throw e;
        }
      }
    };
  }
}
