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
 * Removes the webhooks that an earlier version of the program declared and this version does not.
 * Otherwise, the API server would continue to call these webhooks. Because the program does not
 * serve them, the calls would fail and the API server would reject the requests.
 *
 * <p>A webhook belongs to the program if its configuration has the program's configuration name and
 * its client configuration refers to the program's Service or URL. All other webhooks and
 * configurations remain unchanged. Each write fails if the object has changed since it was read.
 */
final class UndeclaredWebhooks {

  private static final Logger log = LoggerFactory.getLogger(UndeclaredWebhooks.class);

  private final WebhookRegistration registration;

  /** The last reported failure. Only one thread at a time uses this field. */
  private Optional<String> reported = Optional.empty();

  UndeclaredWebhooks(WebhookRegistration registration) {
    this.registration = registration;
  }

  /**
   * Removes this program's webhooks from those configurations (validating, mutating or both) for
   * which the program does not declare any webhooks. Failures other than conflicts are logged and
   * ignored, because they do not affect the declared webhooks.
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
   * Removes the program's undeclared webhooks from a configuration. Deletes the configuration if it
   * contains no other webhooks.
   *
   * @param found the configuration in the cluster
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
   * Returns a patch that removes list elements, starting with the last one so that the other
   * indexes remain valid.
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
