// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.apply.FieldOwnership;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the JSON bodies of apply requests. They contain neither {@code managedFields} nor the
 * resourceVersion of the given object. The {@code stringData} of a Secret are moved to {@code
 * data}, because an apply that omits a key of {@code stringData} would not remove it. This class is
 * thread-safe.
 */
final class ConfigurationWriter {

  private static final String STRING_DATA = "stringData";

  private final RestClient requests;

  ConfigurationWriter(RestClient requests) {
    this.requests = requests;
  }

  /** Returns the body of an apply that can only create the object. */
  String toCreate(HasMetadata object) {
    HasMetadata sent = configuration(requests.copy(object));
    sent.getMetadata().setUid(null);
    sent.getMetadata().setResourceVersion(FieldOwnership.CREATE_ONLY);
    return requests.write(sent);
  }

  /** Returns the body of an apply to any version of the object. */
  String toApply(HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    boolean asItIs =
        metadata == null
            || (isAbsent(metadata.getManagedFields()) && metadata.getResourceVersion() == null);
    return requests.write(
        asItIs && !object.getKind().equals("Secret")
            ? object
            : configuration(requests.copy(object)));
  }

  /** Returns the body of an apply that the server rejects unless the object has this version. */
  String toApply(HasMetadata object, String version) {
    HasMetadata sent = configuration(requests.copy(object));
    sent.getMetadata().setResourceVersion(version);
    return requests.write(sent);
  }

  private static HasMetadata configuration(HasMetadata sent) {
    sent.getMetadata().setManagedFields(null);
    sent.getMetadata().setResourceVersion(null);
    if (sent instanceof Secret secret && secret.getStringData() != null) {
      Map<String, String> data = new LinkedHashMap<>();
      if (secret.getData() != null) {
        data.putAll(secret.getData());
      }
      secret.getStringData().forEach((key, text) -> data.put(key, encoded(text)));
      secret.setData(data);
      secret.setStringData(null);
    } else if (sent instanceof GenericKubernetesResource secret
        && secret.getKind().equals("Secret")
        && secret.getApiVersion().equals("v1")
        && secret.getAdditionalProperties().remove(STRING_DATA) instanceof Map<?, ?> plain) {
      Map<Object, Object> data = new LinkedHashMap<>();
      if (secret.getAdditionalProperties().get("data") instanceof Map<?, ?> given) {
        data.putAll(given);
      }
      plain.forEach((key, text) -> data.put(key, encoded(text.toString())));
      secret.setAdditionalProperty("data", data);
    }
    return sent;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isAbsent(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }
}
