// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;

/**
 * A resource type that an API server serves.
 *
 * @param group the API group, or an empty string for the core group
 * @param version the version, such as {@code v1}
 * @param plural the plural name, as used in URLs and RBAC rules
 * @param kind the kind, as used in manifests
 * @param namespaced whether the type is namespaced rather than cluster-scoped
 */
public record ResourceType(
    String group, String version, String plural, String kind, boolean namespaced) {

  /** The types read from class annotations. They are cached because reading annotations is slow. */
  private static final ClassValue<ResourceType> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected ResourceType computeValue(Class<?> type) {
          return read(type.asSubclass(HasMetadata.class));
        }
      };

  /** Checks that an API server would accept the names. */
  public ResourceType {
    requireName(group, "([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?", "the group");
    requireName(version, "[a-z]([-a-z0-9]*[a-z0-9])?", "the version");
    requireName(plural, "[a-z0-9]([-a-z0-9.]*[a-z0-9])?", "the plural");
    requireName(kind, "[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?", "the kind");
  }

  private static void requireName(String value, String pattern, String what) {
    if (!value.matches(pattern)) {
      throw new IllegalArgumentException(
          "'" + value + "' can't be " + what + " of a resource type; it must match " + pattern);
    }
  }

  /**
   * Looks up a type on the server by its kind. This method sends one request and waits for the
   * response.
   *
   * @param apiVersion the API version: {@code group/version}, or {@code version} in the core group
   * @throws IllegalArgumentException if the server does not serve this kind; the message lists the
   *     kinds that it serves in this API version
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the request fails
   */
  public static ResourceType discover(KubernetesClient client, String apiVersion, String kind) {
    APIResourceList list = client.getApiResources(apiVersion);
    List<APIResource> resources = list == null ? List.of() : list.getResources();
    for (APIResource resource : resources) {
      if (resource.getKind().equals(kind) && resource.getName().indexOf('/') < 0) {
        int slash = apiVersion.indexOf('/');
        return new ResourceType(
            slash < 0 ? "" : apiVersion.substring(0, slash),
            apiVersion.substring(slash + 1),
            resource.getName(),
            kind,
            Boolean.TRUE.equals(resource.getNamespaced()));
      }
    }
    throw new IllegalArgumentException(
        "the server at "
            + client.getMasterUrl()
            + " does not serve kind "
            + kind
            + " in "
            + apiVersion
            + "; it serves "
            + resources.stream().map(APIResource::getKind).distinct().sorted().toList());
  }

  /**
   * Returns the resource type of a model class, according to the annotations of the class.
   *
   * @throws IllegalArgumentException if the class does not declare a resource type; the message
   *     names the class and states how to correct it
   */
  public static ResourceType of(Class<? extends HasMetadata> type) {
    return OF_CLASSES.get(type);
  }

  private static ResourceType read(Class<? extends HasMetadata> type) {
    if (type == GenericKubernetesResource.class) {
      throw new IllegalArgumentException(
          "GenericKubernetesResource stands for objects of any type: instead of the class, pass"
              + " InformerSpec.of(ResourceType) to controllers and caches, and the ResourceType to"
              + " clients");
    }
    ResourceDefinitionContext context = ResourceDefinitionContext.fromResourceType(type);
    if (context.getVersion() == null || context.getKind() == null || context.getPlural() == null) {
      throw new IllegalArgumentException(
          type.getName()
              + " does not declare its API resource: annotate it with @Group and @Version,"
              + " and implement Namespaced if its objects live in namespaces");
    }
    return new ResourceType(
        context.getGroup() == null ? "" : context.getGroup(),
        context.getVersion(),
        context.getPlural(),
        context.getKind(),
        context.isNamespaceScoped());
  }

  /** Returns the API version: {@code group/version}, or {@code version} in the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /**
   * Returns the type's name in RBAC rules and error messages: {@code plural.group}, or {@code
   * plural} in the core group.
   */
  public String resource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /**
   * Returns the path of the collection, relative to the server's address.
   *
   * @param namespace the namespace, or an empty string for all namespaces; ignored if the type is
   *     cluster-scoped
   */
  public String path(String namespace) {
    String root = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    return namespace.isEmpty() || !namespaced
        ? root + "/" + plural
        : root + "/namespaces/" + namespace + "/" + plural;
  }

  /**
   * Returns the given key. Rejects a key whose namespace does not fit the scope of this type. The
   * client could otherwise read or write a different object, or report that no object exists.
   *
   * @throws IllegalArgumentException if this type is namespaced but the key does not contain a
   *     namespace, or if this type is cluster-scoped but the key contains one
   */
  public ObjectKey requireScope(ObjectKey key) {
    if (key.namespace().isEmpty() && namespaced) {
      throw new IllegalArgumentException(
          kind + " is a namespaced type, and '" + key + "' names no namespace");
    }
    if (!key.namespace().isEmpty() && !namespaced) {
      throw new IllegalArgumentException(
          kind
              + " is a cluster-scoped type, and '"
              + key
              + "' names a namespace: use ObjectKey.of(name)");
    }
    return key;
  }

  /**
   * Returns the key of the given object. Ignores the namespace of an object of a cluster-scoped
   * type, as the API server does.
   *
   * @throws IllegalArgumentException if this type is namespaced but the object does not contain a
   *     namespace
   */
  public ObjectKey keyOf(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    return namespaced ? requireScope(key) : ObjectKey.of(key.name());
  }

  /**
   * Checks that a request for several objects does not name a namespace if this type is
   * cluster-scoped.
   *
   * @param namespace the namespace, or empty for all objects
   * @throws IllegalArgumentException if this type is cluster-scoped and the namespace is not empty
   */
  public void requireListable(String namespace) {
    if (!namespace.isEmpty() && !namespaced) {
      throw new IllegalArgumentException(
          kind
              + " is a cluster-scoped type, and the request names the namespace '"
              + namespace
              + "': leave it out, for example with ListParams.ALL");
    }
  }

  @Override
  public String toString() {
    return resource() + "/" + version;
  }
}
