// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;

/**
 * Turns JSON into the objects of one type and back. The only class that knows which JSON library
 * does it.
 *
 * <p>Immutable and thread safe. Make one per type and keep it: making one is expensive.
 *
 * @param <T> the typed class
 */
public final class ObjectCodec<T> {

  private final ResourceType type;
  private final Class<T> target;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  private ObjectCodec(ResourceType type, Class<T> target) {
    this.type = type;
    this.target = target;
    ObjectMapper mapper = new ObjectMapper();
    // The constructor configures the mapper in place, as fabric8's own client has it.
    new KubernetesSerialization(mapper, false);
    reader = mapper.readerFor(target).without(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    writer = mapper.writerFor(target);
  }

  /** The codec of a model class. */
  public static <T extends HasMetadata> ObjectCodec<T> of(Class<T> target) {
    return new ObjectCodec<>(ResourceType.of(target), target);
  }

  /** The type whose objects this codec reads. */
  public ResourceType type() {
    return type;
  }

  /** The typed class. */
  public Class<T> target() {
    return target;
  }

  /** The JSON of a typed object, as the cache would hold it. */
  public CachedObject<T> encode(T object) {
    byte[] json;
    try {
      json = writer.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "an object of " + target.getName() + " can't be written as JSON", e);
    }
    return new ObjectDecoder<>(this).decode(json, 0, json.length);
  }

  T decode(CachedObject<T> object, byte[] json) {
    try {
      return reader.readValue(json);
    } catch (IOException | RuntimeException e) {
      throw new UndecodableException(object, target, e);
    }
  }
}
