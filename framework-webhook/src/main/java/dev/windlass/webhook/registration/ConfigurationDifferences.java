// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares an object in the cluster with the declarations of a program. The comparison ignores the
 * metadata and the {@code caBundle}. In a CustomResourceDefinition, it also ignores the fields that
 * the declarations do not contain, such as the schema. In a webhook configuration, an additional
 * webhook or an additional field of a webhook is a difference.
 */
public final class ConfigurationDifferences {

  private static final String CA_BUNDLE = "caBundle";

  private ConfigurationDifferences() {}

  /**
   * Returns the paths of the fields that differ, such as {@code
   * webhooks[vtenant.example.com].timeoutSeconds}, in the order of the declarations. The list is
   * empty if nothing differs.
   */
  public static List<String> of(GenericKubernetesResource desired, GenericKubernetesResource live) {
    List<String> differences = new ArrayList<>();
    desired
        .getAdditionalProperties()
        .forEach(
            (name, value) -> {
              if (value instanceof List<?> webhooks) {
                compareWebhooks(
                    byName(webhooks),
                    byName(live.getAdditionalProperties().get(name)),
                    differences);
              } else {
                compare(name, value, live.getAdditionalProperties().get(name), differences);
              }
            });
    return differences;
  }

  private static Map<String, Map<?, ?>> byName(@Nullable Object webhooks) {
    Map<String, Map<?, ?>> byName = new LinkedHashMap<>();
    if (webhooks instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> webhook) {
          byName.put(String.valueOf(webhook.get("name")), webhook);
        }
      }
    }
    return byName;
  }

  private static void compareWebhooks(
      Map<String, Map<?, ?>> desired, Map<String, Map<?, ?>> live, List<String> differences) {
    desired.forEach(
        (name, webhook) -> {
          String path = "webhooks[" + name + "]";
          Map<?, ?> there = live.get(name);
          if (there == null) {
            differences.add(path + " (missing)");
            return;
          }
          TreeSet<String> fields = new TreeSet<>();
          webhook.keySet().forEach(field -> fields.add(String.valueOf(field)));
          there.keySet().forEach(field -> fields.add(String.valueOf(field)));
          for (String field : fields) {
            compare(path + "." + field, webhook.get(field), there.get(field), differences);
          }
        });
    live.keySet().stream()
        .filter(name -> !desired.containsKey(name))
        .forEach(name -> differences.add("webhooks[" + name + "] (not declared)"));
  }

  private static void compare(
      String path, @Nullable Object desired, @Nullable Object live, List<String> differences) {
    if (desired instanceof Map<?, ?> fields && live instanceof Map<?, ?> there) {
      fields.forEach(
          (name, value) -> {
            if (!CA_BUNDLE.equals(name)) {
              compare(path + "." + name, value, there.get(name), differences);
            }
          });
      if (path.endsWith("Selector")) {
        there.keySet().stream()
            .filter(name -> !fields.containsKey(name))
            .forEach(name -> differences.add(path + "." + name));
      }
    } else if (desired instanceof List<?> items && live instanceof List<?> others) {
      if (!isSame(items, others)) {
        differences.add(path);
      }
    } else if (!Objects.equals(String.valueOf(desired), String.valueOf(live))) {
      differences.add(path);
    }
  }

  private static boolean isSame(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      return a.keySet().equals(b.keySet())
          && a.keySet().stream().allMatch(key -> isSame(a.get(key), b.get(key)));
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      if (a.size() != b.size()) {
        return false;
      }
      Iterator<?> others = b.iterator();
      return a.stream().allMatch(item -> isSame(item, others.next()));
    }
    return Objects.equals(one, other);
  }
}
