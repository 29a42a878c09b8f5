// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.Client;
import dev.windlass.client.NotFoundException;
import dev.windlass.object.ObjectKey;

/**
 * Writes the status of Hellos. A Hello may be deleted at any time during a reconcile, and the cache
 * may see its deletion later than the end of its Pod. A deleted Hello needs no further work.
 */
final class HelloStore {

  private final Client client;

  HelloStore(Client client) {
    this.client = client;
  }

  /** Writes the status, unless the Hello is gone. A write without changes is not sent. */
  void updateStatus(Hello hello) {
    try {
      client.updateStatus(hello);
    } catch (NotFoundException e) {
      // Deleted in the meantime.
    }
  }

  /** Asks the API server, not the cache, whether a Hello no longer exists. */
  boolean isGone(Hello hello) {
    return client
        .uncached()
        .get(Hello.class, ObjectKey.of(hello))
        .filter(there -> there.getMetadata().getUid().equals(hello.getMetadata().getUid()))
        .isEmpty();
  }
}
