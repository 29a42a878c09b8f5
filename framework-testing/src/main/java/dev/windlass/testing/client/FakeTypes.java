// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.embedded.InProcessApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Set;

/** Defines types in the in-process API when they are first used. */
final class FakeTypes {

  private final InProcessApi api;
  private final Set<ResourceType> withoutStatus;

  FakeTypes(InProcessApi api, Set<ResourceType> withoutStatus) {
    this.api = api;
    this.withoutStatus = withoutStatus;
  }

  synchronized void meet(ResourceType type) {
    if (!api.knows(type.group(), type.version(), type.plural())) {
      api.define(definition(type));
    }
  }

  /** Ensures that the namespace of an object exists. */
  void meetNamespaceOf(HasMetadata object) {
    String namespace = object.getMetadata() == null ? null : object.getMetadata().getNamespace();
    if (namespace != null && !namespace.isEmpty()) {
      api.inNamespace(namespace);
    }
  }

  /** Returns a definition that accepts any content. */
  private CustomResourceDefinition definition(ResourceType type) {
    String json =
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"%s.%s"},
         "spec":{"group":"%s","scope":"%s","names":{"kind":"%s","plural":"%s"},
          "versions":[{"name":"%s","served":true,"storage":true,"subresources":{%s},
           "schema":{"openAPIV3Schema":
            {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
        """
            .formatted(
                type.plural(),
                type.group(),
                type.group(),
                type.namespaced() ? "Namespaced" : "Cluster",
                type.kind(),
                type.plural(),
                type.version(),
                withoutStatus.contains(type) ? "" : "\"status\":{}");
    return Serialization.unmarshal(json, CustomResourceDefinition.class);
  }
}
