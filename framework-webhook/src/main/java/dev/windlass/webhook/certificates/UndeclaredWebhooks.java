// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the webhooks that an earlier version of the program registered and that this version no
 * longer declares. Otherwise, the API server would continue to call them and reject each request,
 * because the program no longer responds.
 *
 * <p>A webhook belongs to the program if it is in a configuration with the program's configuration
 * name and refers to the program's Service or URL. This class never changes other webhooks in the
 * same configuration, or other configurations. Every write requires that the object has not changed
 * since it was read.
 */
final class UndeclaredWebhooks {

  private static final Logger log = LoggerFactory.getLogger(UndeclaredWebhooks.class);

  private final WebhookRegistration registration;

  /** The failure that was reported last. Only one thread at a time uses this field. */
  private Optional<String> reported = Optional.empty();

  UndeclaredWebhooks(WebhookRegistration registration) {
    this.registration = registration;
  }

  /**
   * Removes this program's webhooks from the configurations of each kind (validating or mutating)
   * for which the program no longer declares any webhooks. This method logs and ignores failures
   * other than conflicts, because they do not affect the declared webhooks.
   *
   * @throws ConflictException if a configuration was modified concurrently; the caller should retry
   */
  void removeConfigurations(Client client) {
    try {
      for (RegisteredObject object : registration.undeclaredObjects()) {
        client.get(object.type(), object.key()).ifPresent(found -> remove(client, object, found));
      }
      reported = Optional.empty();
    } catch (ConflictException e) {
      throw e;
    } catch (ApiException e) {
      if (!reported.equals(Optional.ofNullable(e.getMessage()))) {
        reported = Optional.ofNullable(e.getMessage());
        log.warn(
            "Failed to remove webhooks that this program no longer declares: {}; the API server may"
                + " still call them, so delete them",
            e.getMessage());
      }
    }
  }

  /**
   * Removes the program's undeclared webhooks from a configuration, or deletes the configuration if
   * it contains no other webhooks.
   *
   * @param found the configuration as it is in the cluster
   */
  void remove(Client client, RegisteredObject object, GenericKubernetesResource found) {
    if (object.type().equals(RegisteredObject.DEFINITION)
        || !(found.getAdditionalProperties().get("webhooks") instanceof List<?> webhooks)) {
      return;
    }
    List<Integer> positions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < webhooks.size(); i++) {
      if (webhooks.get(i) instanceof Map<?, ?> webhook && isUndeclared(object, webhook)) {
        positions.add(i);
        names.add(String.valueOf(webhook.get("name")));
      }
    }
    if (positions.isEmpty()) {
      return;
    }
    if (positions.size() == webhooks.size()) {
      client.delete(object.type(), object.key(), DeleteParams.exactly(found));
    } else {
      var unused = client.patch(found, patch(found, positions));
    }
    log.info(
        "Removed {} from the {}, because this program no longer declares them",
        String.join(", ", names),
        object);
  }

  @SuppressWarnings("unchecked") // the keys of JSON objects are strings
  private boolean isUndeclared(RegisteredObject object, Map<?, ?> webhook) {
    return webhook.get("clientConfig") instanceof Map<?, ?> clientConfig
        && registration.target().matches((Map<String, Object>) clientConfig)
        && !registration.declares(object, String.valueOf(webhook.get("name")));
  }

  /**
   * Returns the patch that removes elements, the last one first, so that positions remain correct.
   */
  private static ObjectPatch patch(GenericKubernetesResource found, List<Integer> positions) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    operations
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", found.getMetadata().getResourceVersion());
    for (int i = positions.size() - 1; i >= 0; i--) {
      operations.addObject().put("op", "remove").put("path", "/webhooks/" + positions.get(i));
    }
    return ObjectPatch.json(operations.toString());
  }
}
