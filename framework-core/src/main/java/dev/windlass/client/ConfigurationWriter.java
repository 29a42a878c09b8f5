// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the JSON bodies of apply requests, and of the create requests that {@link
 * Client#applyNew} sends. This class is thread-safe.
 */
final class ConfigurationWriter {

  private final RestClient requests;

  ConfigurationWriter(RestClient requests) {
    this.requests = requests;
  }

  /**
   * Returns the JSON of an object without its uid, managedFields and resourceVersion, which only
   * existing objects have.
   */
  String toCreate(HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    if (metadata == null || metadata.getUid() == null) {
      return toApply(object);
    }
    HasMetadata sent = requests.copy(object);
    sent.getMetadata().setUid(null);
    return toApply(sent);
  }

  /** Returns the JSON of an object without its managedFields and resourceVersion. */
  String toApply(HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    if (metadata == null
        || (isAbsent(metadata.getManagedFields()) && metadata.getResourceVersion() == null)) {
      return requests.write(object);
    }
    HasMetadata sent = requests.copy(object);
    sent.getMetadata().setManagedFields(null);
    sent.getMetadata().setResourceVersion(null);
    return requests.write(sent);
  }

  /**
   * Returns the JSON of an object without its managedFields, and with the given resourceVersion.
   * The server rejects the apply if the object has another resourceVersion.
   */
  String toApply(HasMetadata object, String version) {
    HasMetadata sent = requests.copy(object);
    sent.getMetadata().setManagedFields(null);
    sent.getMetadata().setResourceVersion(version);
    return requests.write(sent);
  }

  private static boolean isAbsent(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }

  /** Parses a JSON object and returns it as a tree of maps and lists. */
  Map<?, ?> tree(String json) {
    return requests.tree(json);
  }
}
