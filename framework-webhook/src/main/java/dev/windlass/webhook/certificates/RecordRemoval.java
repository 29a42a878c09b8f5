// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes this replica's serving record when the replica stops, so that other replicas do not wait
 * for it. Add this component to the manager before the server; it then stops after the server. If
 * the removal fails, the record becomes obsolete when the certificate expires.
 */
final class RecordRemoval implements ManagedComponent {

  private static final Logger log = LoggerFactory.getLogger(RecordRemoval.class);

  private final Client client;
  private final ObjectKey secret;
  private final String identity;
  private final BooleanSupplier hasServed;

  /**
   * Creates the component.
   *
   * @param hasServed returns whether this replica may have a record
   */
  RecordRemoval(Client client, ObjectKey secret, String identity, BooleanSupplier hasServed) {
    this.client = client;
    this.secret = secret;
    this.identity = identity;
    this.hasServed = hasServed;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public void start() {}

  @Override
  public boolean stop(Duration limit) {
    if (!hasServed.getAsBoolean()) {
      return true;
    }
    Secret named =
        new SecretBuilder()
            .withMetadata(
                new ObjectMetaBuilder()
                    .withNamespace(secret.namespace())
                    .withName(secret.name())
                    .build())
            .build();
    try {
      var unused =
          client
              .uncached()
              .patch(named, ServingRecords.patch(identity, Optional.empty(), List.of()));
    } catch (ApiException e) {
      log.debug("Failed to remove the record of this replica: {}", e.getMessage());
    }
    return true;
  }

  @Override
  public String toString() {
    return "the record of the webhook certificate";
  }
}
