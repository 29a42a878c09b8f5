// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.apiserver.embedded.InProcessApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Set;

/** Defines each resource type in the in-process API of a {@link FakeClient} on first use. */
final class FakeTypes {

  private final InProcessApi api;
  private final Set<ResourceType> withoutStatus;

  FakeTypes(InProcessApi api, Set<ResourceType> withoutStatus) {
    this.api = api;
    this.withoutStatus = withoutStatus;
  }

  synchronized void meet(ResourceType type) {
    if (!api.knows(type.group(), type.version(), type.plural())) {
      api.define(
          OpenDefinition.of(
              type.group(),
              type.version(),
              type.kind(),
              type.plural(),
              type.namespaced(),
              !withoutStatus.contains(type)));
    }
  }

  /**
   * Creates the namespace of an object, unless it exists or has been deleted; see {@link
   * InProcessApi#inNamespace}.
   */
  void meetNamespaceOf(HasMetadata object) {
    String namespace = object.getMetadata() == null ? null : object.getMetadata().getNamespace();
    if (namespace != null && !namespace.isEmpty()) {
      api.inNamespace(namespace);
    }
  }
}
