// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** Where Events are sent. Blocks until the server has answered. */
interface EventSink {

  /** Creates the Event. */
  void create(Event event);

  /**
   * Raises the count of an Event that exists.
   *
   * @return whether it exists
   */
  boolean update(Event event);

  /** Sends to an API server. */
  static EventSink to(KubernetesClient client) {
    return new EventSink() {
      @Override
      public void create(Event event) {
        client.v1().events().resource(event).create();
      }

      @Override
      public boolean update(Event event) {
        // Only what changes, so that nothing else of the stored Event can be overwritten.
        Event change =
            new EventBuilder()
                .withNewMetadata()
                .withName(event.getMetadata().getName())
                .withNamespace(event.getMetadata().getNamespace())
                .endMetadata()
                .withCount(event.getCount())
                .withLastTimestamp(event.getLastTimestamp())
                .build();
        try {
          client
              .v1()
              .events()
              .resource(change)
              .patch(PatchContext.of(PatchType.JSON_MERGE), change);
          return true;
        } catch (KubernetesClientException e) {
          if (e.getCode() == 404) {
            return false;
          }
          throw e;
        }
      }
    };
  }
}
