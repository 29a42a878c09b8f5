// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import java.io.IOException;
import java.util.List;

/**
 * A page of a list of typed objects.
 *
 * @param items the objects, which the caller can modify
 * @param continueToken the token for the next page; empty if this is the last page
 */
public record ListPage<T>(List<T> items, String continueToken) {

  /**
   * Parses a page from the JSON of the server's response.
   *
   * @throws MalformedObjectException if the JSON cannot be decoded into a list of objects of the
   *     class
   */
  public static <T extends HasMetadata> ListPage<T> read(byte[] json, Class<T> item) {
    DefaultKubernetesResourceList<T> list;
    try {
      list = ObjectCodec.page(json, item);
    } catch (IOException e) {
      throw new MalformedObjectException("not a list of " + item.getName());
    }
    ListMeta metadata = list.getMetadata();
    String token = metadata == null ? null : metadata.getContinue();
    return new ListPage<>(list.getItems(), token == null ? "" : token);
  }
}
