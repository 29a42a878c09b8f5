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
 * What was created by {@code applyNew}. A client with caches leaves out an apply of the same, as
 * long as the object is as it was created; a server would note the first one in {@code
 * managedFields}.
 */
final class FakeCreations {

  /** What was said, and the version that this led to. */
  private record Creation(String said, String version) {}

  private final KubernetesSerialization json;
  private final Map<String, Creation> last = new ConcurrentHashMap<>();

  FakeCreations(KubernetesSerialization json) {
    this.json = json;
  }

  /** Remembers a creation, but for one in a dry run. */
  <T extends HasMetadata> T remember(Client live, T object, T created) {
    String version = created.getMetadata().getResourceVersion();
    live.get(created)
        .filter(now -> now.getMetadata().getResourceVersion().equals(version))
        .ifPresent(now -> last.put(place(created), new Creation(said(object), version)));
    return created;
  }

  /** The object as it was created, if it is so still and an apply says nothing else. */
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
