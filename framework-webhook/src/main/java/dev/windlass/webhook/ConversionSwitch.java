// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.object.ObjectCodec;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.RegistrationPatch;
import dev.windlass.webhook.registration.VersionSchemas;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches on the program's conversions before its caches list the objects.
 *
 * <p>While the conversion strategy of a definition is {@code None}, the API server removes fields
 * from the objects that the caches receive, and a controller that writes such an object deletes
 * these fields. The controller of the certificates configures the conversions later, because the CA
 * bundle must exist first. Without the bundle, requests that need a conversion fail, but no object
 * is damaged.
 */
final class ConversionSwitch implements ManagedComponent {

  private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

  private final Client client;
  private final WebhookRegistration registration;

  ConversionSwitch(Client client, WebhookRegistration registration) {
    this.client = client;
    this.registration = registration;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public void start() {
    for (RegisteredObject object : registration.objects()) {
      if (object.type().equals(RegisteredObject.DEFINITION)) {
        try {
          switchOn(object);
        } catch (ApiException e) {
          log.warn(
              "Failed to check the conversion of the {} before its objects are listed; the"
                  + " controller of the certificates tries again: {}",
              object,
              e.getMessage());
        }
      }
    }
  }

  private void switchOn(RegisteredObject object) {
    Optional<GenericKubernetesResource> found = client.get(object.type(), object.key());
    Optional<String> removed =
        found.flatMap(
            definition ->
                VersionSchemas.removedField(ObjectCodec.convert(definition, ObjectNode.class)));
    if (removed.isPresent()) {
      GenericKubernetesResource definition = found.orElseThrow();
      var unused =
          client.patch(
              definition,
              new RegistrationPatch(definition).conversion(registration.desired(object)).build());
      log.info(
          "Configured the conversion of the {}, without which the API server removes the field {}",
          object,
          removed.get());
    }
  }

  @Override
  public boolean stop(Duration limit) {
    return true;
  }

  @Override
  public String toString() {
    return "the switch of the conversions";
  }
}
