// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Locale;

/** Creates custom resource definitions that accept any content, for tests that need no schema. */
public final class OpenDefinition {

  private OpenDefinition() {}

  /** Returns a definition for the given class, with a status subresource. */
  public static CustomResourceDefinition of(Class<? extends HasMetadata> type) {
    return of(
        HasMetadata.getGroup(type),
        HasMetadata.getVersion(type),
        HasMetadata.getKind(type),
        HasMetadata.getPlural(type),
        Namespaced.class.isAssignableFrom(type),
        true);
  }

  /**
   * Returns a definition with a single version.
   *
   * @param status whether the type has a status subresource
   */
  public static CustomResourceDefinition of(
      String group,
      String version,
      String kind,
      String plural,
      boolean namespaced,
      boolean status) {
    String json =
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"%s.%s"},
         "spec":{"group":"%s","scope":"%s",
          "names":{"kind":"%s","plural":"%s","singular":"%s","listKind":"%sList"},
          "versions":[{"name":"%s","served":true,"storage":true,"subresources":{%s},
           "schema":{"openAPIV3Schema":
            {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
        """
            .formatted(
                plural,
                group,
                group,
                namespaced ? "Namespaced" : "Cluster",
                kind,
                plural,
                kind.toLowerCase(Locale.ROOT),
                kind,
                version,
                status ? "\"status\":{}" : "");
    return Serialization.unmarshal(json, CustomResourceDefinition.class);
  }
}
