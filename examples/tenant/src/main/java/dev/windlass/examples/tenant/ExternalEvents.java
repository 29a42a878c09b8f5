// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.Client;
import dev.windlass.controller.enqueue.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates a source of events outside the cluster. Each run sends an event for each Tenant that is
 * ready. {@link EveryTenSeconds} starts the runs.
 */
final class ExternalEvents implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(ExternalEvents.class);

  private final Client client;
  private final EventChannel<Tenant> channel;

  ExternalEvents(Client client, EventChannel<Tenant> channel) {
    this.client = client;
    this.channel = channel;
  }

  @Override
  public void run() {
    try {
      for (Tenant tenant : client.list(Tenant.class, TenantIndices.withReady("True"))) {
        if (!channel.trySend(named(tenant.getMetadata().getName()))) {
          log.warn("the controller is busy; skipping the remaining events this time");
          return;
        }
      }
    } catch (RuntimeException e) {
      log.warn("failed to list the tenants; sending no events this time: {}", e.getMessage());
    }
  }

  /** Returns the object of an event, which contains only the name of the Tenant. */
  private static Tenant named(String name) {
    Tenant tenant = new Tenant();
    tenant.getMetadata().setName(name);
    return tenant;
  }
}
