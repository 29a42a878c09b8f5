// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** ConfigMaps whose label {@code v} holds the values of an index, separated by dots. */
public final class Labelled {

  private Labelled() {}

  public static CachedObject<ConfigMap> object(String name, long version, String values) {
    return object("default", name, version, values);
  }

  public static CachedObject<ConfigMap> object(
      String namespace, String name, long version, String values) {
    return ConfigMaps.decode(
        """
        {"metadata":{"namespace":"%s","name":"%s","uid":"u","resourceVersion":"%d",\
        "labels":{"v":"%s"}}}"""
            .formatted(namespace, name, version, values));
  }

  /** An {@link IndexFunction}. */
  public static Collection<String> values(CachedObject<ConfigMap> object) {
    String label = object.labels().getOrDefault("v", "");
    return label.isEmpty() ? List.of() : Arrays.asList(label.split("\\."));
  }
}
