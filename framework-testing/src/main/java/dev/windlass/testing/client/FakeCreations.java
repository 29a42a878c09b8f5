// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.client.Client;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records the objects that {@code applyNew} has created. After {@code applyNew}, a client with
 * caches skips an apply with the same content while the object is unchanged. The fake client uses
 * this record to do the same. Otherwise, the first such apply would change {@code managedFields}.
 */
final class FakeCreations {

  /** The content that was applied, and the resourceVersion of the created object. */
  private record Creation(String said, String version) {}

  private final KubernetesSerialization json;
  private final Map<String, Creation> last = new ConcurrentHashMap<>();

  FakeCreations(KubernetesSerialization json) {
    this.json = json;
  }

  /** Records a created object, unless the request was a dry run. Returns {@code created}. */
  <T extends HasMetadata> T remember(Client live, T object, T created) {
    String version = created.getMetadata().getResourceVersion();
    live.get(created)
        .filter(now -> now.getMetadata().getResourceVersion().equals(version))
        .ifPresent(now -> last.put(place(created), new Creation(said(object), version)));
    return created;
  }

  /**
   * Returns the stored object if it is unchanged since its creation and was created with the same
   * content. Otherwise, returns empty.
   */
  <T extends HasMetadata> Optional<T> unchanged(Client live, T object) {
    Creation creation = last.get(place(object));
    return creation != null && creation.said().equals(said(object))
        ? live.get(object)
            .filter(now -> now.getMetadata().getResourceVersion().equals(creation.version()))
        : Optional.empty();
  }

  private static String place(HasMetadata object) {
    return object.getApiVersion() + " " + object.getKind() + " " + ObjectKey.of(object);
  }

  private String said(HasMetadata object) {
    HasMetadata copy = json.clone(object);
    copy.getMetadata().setUid(null);
    copy.getMetadata().setResourceVersion(null);
    copy.getMetadata().setManagedFields(null);
    return json.asJson(copy);
  }
}
