// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    List<ClientConfigEntry> found = new ArrayList<>(byName(type, object).values());
    found.removeIf(entry -> !target.matches(entry.fields()));
    return found;
  }

  /**
   * Returns the {@code clientConfig} entries of an object by the names of their webhooks, with an
   * empty name for a conversion.
   */
  public static Map<String, ClientConfigEntry> byName(
      ResourceType type, GenericKubernetesResource object) {
    Map<String, ClientConfigEntry> found = new LinkedHashMap<>();
    Map<String, Object> content = object.getAdditionalProperties();
    if (type.equals(RegisteredObject.DEFINITION)) {
      Object webhook = field(field(content.get("spec"), "conversion"), "webhook");
      add(found, "", "/spec/conversion/webhook/clientConfig", field(webhook, "clientConfig"));
    } else if (content.get("webhooks") instanceof List<?> webhooks) {
      for (int i = 0; i < webhooks.size(); i++) {
        String name = String.valueOf(field(webhooks.get(i), "name"));
        add(
            found,
            name,
            "/webhooks/" + i + "/clientConfig",
            field(webhooks.get(i), "clientConfig"));
      }
    }
    return found;
  }

  private static @Nullable Object field(@Nullable Object parent, String name) {
    return parent instanceof Map<?, ?> map ? map.get(name) : null;
  }

  @SuppressWarnings("unchecked") // the keys of JSON objects are strings
  private static void add(
      Map<String, ClientConfigEntry> found,
      String name,
      String path,
      @Nullable Object clientConfig) {
    if (clientConfig instanceof Map<?, ?> map) {
      found.put(name, new ClientConfigEntry(path, (Map<String, Object>) map));
    }
  }

  /** Returns the CA certificates that the API server trusts, in Base64, or an empty string. */
  public String caBundle() {
    return fields.get("caBundle") instanceof String bundle ? bundle : "";
  }
}
