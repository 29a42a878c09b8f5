// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Type;
import java.util.List;

/**
 * A page of a list as typed objects.
 *
 * @param items the objects, which belong to the caller
 * @param continueToken for the next page; empty if there is none
 */
public record TypedList<T>(List<T> items, String continueToken) {

  /**
   * Reads a page.
   *
   * @param json makes the objects
   * @throws RuntimeException if one of them does not fit the class
   */
  public static <T extends HasMetadata> TypedList<T> read(
      KubernetesSerialization json, byte[] bytes, Class<T> item) {
    DefaultKubernetesResourceList<T> list =
        json.unmarshal(
            new ByteArrayInputStream(bytes),
            new TypeReference<DefaultKubernetesResourceList<T>>() {
              @Override
              public Type getType() {
                return json.constructParametricType(DefaultKubernetesResourceList.class, item);
              }
            });
    ListMeta metadata = list.getMetadata();
    String token = metadata == null ? null : metadata.getContinue();
    return new TypedList<>(list.getItems(), token == null ? "" : token);
  }
}
