// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;

/**
 * The access that a user requests: a verb on a resource or on a non-resource path.
 *
 * @param verb the verb, such as {@code get}
 * @param group the API group; empty for the core group and for a non-resource path
 * @param resource the resource; empty for a non-resource path
 * @param subresource the subresource; empty for the object itself
 * @param namespace the namespace; for a Namespace, its own name; empty for all namespaces and for
 *     other cluster-scoped objects
 * @param name the object's name; empty for any object
 * @param path the non-resource path; empty for a resource
 */
public record AccessRequest(
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path) {

  /** Returns a request for a non-resource path. */
  public static AccessRequest ofPath(String verb, String path) {
    return new AccessRequest(verb, "", "", "", "", "", path);
  }

  boolean isForResource() {
    return path.isEmpty();
  }

  /** Returns the resource with its subresource, as in RBAC rules: {@code pods/status}. */
  String combined() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }

  /** Returns the exception that rejects this request from the given user. */
  public StatusException refusal(UserInfo user) {
    if (!isForResource()) {
      return StatusException.forbidden(
          new GroupResource("", ""),
          "",
          "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), verb, path));
    }
    String scope =
        namespace.isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"%s\"".formatted(namespace);
    return StatusException.forbidden(
        new GroupResource(group, resource),
        name,
        "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
            .formatted(user.name(), verb, combined(), group, scope));
  }
}
