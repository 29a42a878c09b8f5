// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.Client;
import dev.windlass.client.NotFoundException;
import dev.windlass.object.ObjectKey;

/**
 * What is written down of Hellos. A Hello may be deleted at any moment of a run, and the cache may
 * hear of it later than of the end of its Pod: for such a Hello there is nothing left to do.
 */
final class HelloStore {

  private final Client client;

  HelloStore(Client client) {
    this.client = client;
  }

  /** Writes the phase, unless the Hello is gone. One that changes nothing is not sent. */
  void updateStatus(Hello hello) {
    try {
      client.updateStatus(hello);
    } catch (NotFoundException e) {
      // Deleted meanwhile.
    }
  }

  /** Whether it is gone by what the server says, and not by what the cache says. */
  boolean isGone(Hello hello) {
    return client
        .uncached()
        .get(Hello.class, ObjectKey.of(hello))
        .filter(there -> there.getMetadata().getUid().equals(hello.getMetadata().getUid()))
        .isEmpty();
  }
}
