// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.Client;
import dev.windlass.client.NotFoundException;
import dev.windlass.object.ObjectKey;

/**
 * Writes the status of Hellos, and checks whether a Hello still exists. A Hello can be deleted
 * while it is being reconciled. In addition, the cache can receive a change to the Pod before it
 * receives the deletion of the Hello. A deleted Hello needs no further work.
 */
final class HelloStore {

  private final Client client;

  HelloStore(Client client) {
    this.client = client;
  }

  /** Updates the status if it has changed. Does nothing if the Hello no longer exists. */
  void updateStatus(Hello hello) {
    try {
      client.updateStatus(hello);
    } catch (NotFoundException e) {
      // The Hello was deleted in the meantime.
    }
  }

  /**
   * Returns whether a Hello no longer exists. This method reads from the API server instead of the
   * cache.
   */
  boolean isGone(Hello hello) {
    return client
        .uncached()
        .get(Hello.class, ObjectKey.of(hello))
        .filter(there -> there.getMetadata().getUid().equals(hello.getMetadata().getUid()))
        .isEmpty();
  }
}
