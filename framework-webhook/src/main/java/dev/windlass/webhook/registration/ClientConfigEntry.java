// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code clientConfig} in an object of the cluster.
 *
 * @param path the JSON pointer to the {@code clientConfig}, such as {@code
 *     /webhooks/0/clientConfig}
 * @param fields the fields of the {@code clientConfig}
 */
public record ClientConfigEntry(String path, Map<String, Object> fields) {

  /**
   * Returns the {@code clientConfig} entries of an object that refer to a target.
   *
   * @param type the object's type: a webhook configuration or a custom resource definition
   */
  public static List<ClientConfigEntry> of(
      ResourceType type, GenericKubernetesResource object, WebhookTarget target) {
    List<ClientConfigEntry> found = new ArrayList<>();
    Map<String, Object> content = object.getAdditionalProperties();
    if (type.equals(RegisteredObject.DEFINITION)) {
      Object webhook = field(field(content.get("spec"), "conversion"), "webhook");
      add(found, target, "/spec/conversion/webhook", webhook);
    } else if (content.get("webhooks") instanceof List<?> webhooks) {
      for (int i = 0; i < webhooks.size(); i++) {
        add(found, target, "/webhooks/" + i, webhooks.get(i));
      }
    }
    return found;
  }

  private static @Nullable Object field(@Nullable Object parent, String name) {
    return parent instanceof Map<?, ?> map ? map.get(name) : null;
  }

  @SuppressWarnings("unchecked") // the keys of JSON objects are strings
  private static void add(
      List<ClientConfigEntry> found, WebhookTarget target, String path, @Nullable Object webhook) {
    if (field(webhook, "clientConfig") instanceof Map<?, ?> clientConfig) {
      Map<String, Object> fields = (Map<String, Object>) clientConfig;
      if (target.matches(fields)) {
        found.add(new ClientConfigEntry(path + "/clientConfig", fields));
      }
    }
  }

  /** Returns the CA certificates that the API server trusts, in Base64, or an empty string. */
  public String caBundle() {
    return fields.get("caBundle") instanceof String bundle ? bundle : "";
  }
}
