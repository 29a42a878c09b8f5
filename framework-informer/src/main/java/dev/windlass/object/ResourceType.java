// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A type of objects as the API server names it.
 *
 * @param group empty for the core group
 * @param version such as {@code v1}
 * @param plural the name in URLs and in RBAC rules
 * @param kind the name in manifests
 * @param namespaced whether objects live in namespaces
 */
public record ResourceType(
    String group, String version, String plural, String kind, boolean namespaced) {

  /**
   * The type that a model class stands for, read from its annotations.
   *
   * @throws IllegalArgumentException if they do not say enough, naming the class and what it lacks
   */
  public static ResourceType of(Class<? extends HasMetadata> type) {
    ResourceDefinitionContext context = ResourceDefinitionContext.fromResourceType(type);
    if (context.getVersion() == null || context.getKind() == null || context.getPlural() == null) {
      throw new IllegalArgumentException(
          type.getName()
              + " does not say which API resource it is: annotate it with @Group and @Version,"
              + " and implement Namespaced if its objects live in namespaces");
    }
    return new ResourceType(
        context.getGroup() == null ? "" : context.getGroup(),
        context.getVersion(),
        context.getPlural(),
        context.getKind(),
        context.isNamespaceScoped());
  }

  /** {@code group/version}, or {@code version} in the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** {@code plural.group}, the name by which RBAC and error messages know the type. */
  public String resource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /**
   * The path of the collection below the server's address.
   *
   * @param namespace empty for all namespaces, and for a cluster-scoped type
   */
  public String path(String namespace) {
    String root = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    return namespace.isEmpty() || !namespaced
        ? root + "/" + plural
        : root + "/namespaces/" + namespace + "/" + plural;
  }

  @Override
  public String toString() {
    return resource() + "/" + version;
  }
}
