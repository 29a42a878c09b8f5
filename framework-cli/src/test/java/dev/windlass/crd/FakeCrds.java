// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that answers as a test wants, and remembers what was applied. */
final class FakeCrds implements CrdServer {

  /** An attempt to apply a CRD. */
  record Applied(CustomResourceDefinition crd, boolean forced) {}

  final List<Applied> applied = new ArrayList<>();
  final List<RuntimeException> refusals = new ArrayList<>();
  Supplier<@Nullable CustomResourceDefinition> found = () -> null;
  Supplier<Set<String>> resources = Set::of;

  @Override
  public void apply(CustomResourceDefinition crd, boolean force) {
    applied.add(new Applied(crd, force));
    if (!refusals.isEmpty()) {
      throw refusals.remove(0);
    }
  }

  @Override
  public @Nullable CustomResourceDefinition get(String name) {
    return found.get();
  }

  @Override
  public Set<String> resources(String apiVersion) {
    return resources.get();
  }

  static KubernetesClientException failure(int code) {
    return new KubernetesClientException(
        "no\nway", code, new StatusBuilder().withCode(code).build());
  }

  /** What the server says if other managers have set these fields. */
  static KubernetesClientException conflict(String... fields) {
    List<StatusCause> causes =
        List.of(fields).stream()
            .map(field -> new StatusCause(field, "conflict with \"helm\"", "FieldManagerConflict"))
            .toList();
    return new KubernetesClientException(
        "Apply failed",
        409,
        new StatusBuilder().withCode(409).withNewDetails().withCauses(causes).endDetails().build());
  }
}
