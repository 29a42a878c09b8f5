// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Determines the resource type of a class or an object. This class is thread-safe. */
public final class RestMapper {

  private final KubernetesClient client;

  /** The types that the server has returned, keyed by apiVersion and kind. */
  private final Map<String, ResourceType> discovered = new ConcurrentHashMap<>();

  public RestMapper(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Returns the type of an object. If the object's Java class does not determine the type, this
   * method requests it from the server once and stores it.
   */
  public ResourceType of(HasMetadata object) {
    if (!(object instanceof GenericKubernetesResource)) {
      return ResourceType.of(object.getClass());
    }
    String apiVersion = object.getApiVersion();
    String kind = object.getKind();
    if (apiVersion == null || kind == null) {
      throw new IllegalArgumentException(
          "a GenericKubernetesResource needs apiVersion and kind: set both");
    }
    String name = apiVersion + "/" + kind;
    ResourceType known = discovered.get(name);
    if (known == null) {
      known = ResourceType.discover(client, apiVersion, kind);
      discovered.put(name, known);
    }
    return known;
  }
}
