// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;

/** ConfigMaps for the tests of every stage. */
public final class ConfigMaps {

  public static final ObjectCodec<ConfigMap> CODEC = ObjectCodec.of(ConfigMap.class);

  public static final ObjectDecoder<ConfigMap> DECODER = new ObjectDecoder<>(CODEC);

  private ConfigMaps() {}

  /** A state of the object {@code default/name}. */
  public static CachedObject<ConfigMap> state(String name, String uid, long version) {
    return decode(json(name, uid, Long.toString(version)));
  }

  /** A state of the object {@code default/name} with a uid of the same name. */
  public static CachedObject<ConfigMap> state(String name, long version) {
    return state(name, name, version);
  }

  public static String json(String name, String uid, String version) {
    return """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"default","name":"%s",\
        "uid":"%s","resourceVersion":"%s"},"data":{"v":"%s"}}"""
        .formatted(name, uid, version, version);
  }

  /** What a test puts on a fake server. */
  public static String json(String name) {
    return "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\"}}"
        .formatted(name);
  }

  public static CachedObject<ConfigMap> decode(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return DECODER.decode(bytes, 0, bytes.length);
  }

  public static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }
}
