// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.webhook.certificates.DecidingVersion.Claim;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the webhooks that an earlier version of the program declared and this version does not.
 * Otherwise, the API server would continue to call these webhooks. Because the program does not
 * serve them, the calls would fail and the API server would reject the requests. Only a replica
 * whose version decides removes webhooks; see {@link DecidingVersion}.
 *
 * <p>A webhook belongs to the program if its configuration has the program's configuration name and
 * its client configuration refers to the program's Service or URL. All other webhooks and
 * configurations remain unchanged. Each write fails if the object has changed since it was read.
 */
final class UndeclaredWebhooks {

  private static final Logger log = LoggerFactory.getLogger(UndeclaredWebhooks.class);

  private final WebhookRegistration registration;
  private final DecidingVersion version;

  /**
   * The last reported failure, which is not reported again. Only one thread at a time uses this
   * field.
   */
  private Optional<String> reported = Optional.empty();

  UndeclaredWebhooks(WebhookRegistration registration, DecidingVersion version) {
    this.registration = registration;
    this.version = version;
  }

  /**
   * Reads the configurations (validating, mutating or both) for which the program does not declare
   * any webhooks. Failures are logged and ignored, because they do not affect the declared
   * webhooks.
   */
  Map<RegisteredObject, GenericKubernetesResource> read(Client client) {
    Map<RegisteredObject, GenericKubernetesResource> found = new LinkedHashMap<>();
    try {
      for (RegisteredObject object : registration.undeclaredObjects()) {
        client.get(object.type(), object.key()).ifPresent(there -> found.put(object, there));
      }
    } catch (ApiException e) {
      report(e);
    }
    return found;
  }

  /**
   * Removes this program's webhooks from those configurations for which the program does not
   * declare any webhooks. Failures other than conflicts are logged and ignored.
   *
   * @param objects a map that contains the result of {@link #read}
   * @throws ConflictException if a configuration was modified concurrently; the caller should retry
   */
  void removeConfigurations(
      Client client, Map<RegisteredObject, Optional<GenericKubernetesResource>> objects) {
    try {
      for (RegisteredObject object : registration.undeclaredObjects()) {
        objects
            .getOrDefault(object, Optional.empty())
            .ifPresent(found -> remove(client, object, found));
      }
    } catch (ConflictException e) {
      throw e;
    } catch (ApiException e) {
      report(e);
    }
  }

  private void report(ApiException e) {
    if (!reported.equals(Optional.ofNullable(e.getMessage()))) {
      reported = Optional.ofNullable(e.getMessage());
      log.warn(
          "Failed to remove webhooks that this program no longer declares: {}; the API server may"
              + " still call them, so delete them",
          e.getMessage());
    }
  }

  /**
   * Removes the program's undeclared webhooks from a configuration, if this version decides, and
   * writes the claim. Deletes the configuration if it contains no other webhooks. However, a
   * program that declares only conversions keeps the configuration without webhooks, because a
   * replica of another version would not find its claim elsewhere.
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
    for (int i = 0; version.decides() && i < webhooks.size(); i++) {
      if (webhooks.get(i) instanceof Map<?, ?> webhook && isUndeclared(object, webhook)) {
        positions.add(i);
        names.add(String.valueOf(webhook.get("name")));
      }
    }
    boolean isClaimed = Claim.in(found).isPresent();
    Optional<Claim> claim =
        positions.isEmpty() && !isClaimed ? Optional.empty() : version.change(found);
    if (positions.isEmpty()) {
      claim.ifPresent(changed -> patch(client, found, positions, claim));
      return;
    }
    if (positions.size() == webhooks.size() && !registration.admission().isEmpty()) {
      client.delete(object.type(), object.key(), DeleteParams.exactly(found));
    } else {
      patch(client, found, positions, claim);
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

  /** Removes list elements, starting with the last one so that the other indexes remain valid. */
  private static void patch(
      Client client,
      GenericKubernetesResource found,
      List<Integer> positions,
      Optional<Claim> claim) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    BundlePatch.addVersion(found, operations);
    for (int i = positions.size() - 1; i >= 0; i--) {
      operations.addObject().put("op", "remove").put("path", "/webhooks/" + positions.get(i));
    }
    claim.ifPresent(changed -> DecidingVersion.add(changed, found, operations));
    var unused = client.patch(found, ObjectPatch.json(operations.toString()));
  }
}
