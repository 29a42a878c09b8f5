// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A page of a list of typed objects.
 *
 * @param items the objects
 * @param continueToken the token for the next page; empty if this is the last page
 */
public record ListPage<T>(ReadableObjects<T> items, String continueToken) {

  /**
   * Parses a page from the JSON of the server's response.
   *
   * @throws MalformedObjectException if the JSON is not a list of objects
   */
  public static <T extends HasMetadata> ListPage<T> read(byte[] json, ObjectDecoder<T> decoder) {
    Class<T> item = decoder.codec().target();
    if (decoder.keepsContent() && decoder.codec().isFast()) {
      try {
        DefaultKubernetesResourceList<T> list = ObjectCodec.page(json, item);
        ListMeta metadata = list.getMetadata();
        String token = metadata == null ? null : metadata.getContinue();
        return new ListPage<>(
            new ReadableObjects<>(list.getItems(), new LinkedHashMap<>()),
            token == null ? "" : token);
      } catch (IOException e) {
        // An object does not fit the class. Below, each object is decoded by itself.
      }
    }
    List<CachedObject<T>> states = new ArrayList<>();
    JsonNode list;
    try {
      list = ObjectCodec.parse(json, JsonNode.class);
    } catch (IOException e) {
      throw new MalformedObjectException("not a list of " + item.getName());
    }
    if (!list.path("items").isArray()) {
      throw new MalformedObjectException("not a list of " + item.getName());
    }
    for (JsonNode object : list.path("items")) {
      byte[] bytes = object.toString().getBytes(StandardCharsets.UTF_8);
      states.add(decoder.decode(bytes, 0, bytes.length));
    }
    return new ListPage<>(
        ReadableObjects.of(states, CachedObject::decode),
        list.path("metadata").path("continue").asText(""));
  }
}
