// SPDX-License-Identifier: Apache-2.0
package dev.windlass.failure;

import java.util.List;
import java.util.Set;

/**
 * The permission that a request requires, in the terms of an RBAC rule. Log and exception messages
 * quote it. Instances are immutable.
 *
 * @param verbs the verbs, such as {@code list} and {@code watch}; empty if unknown
 * @param resource the resource's plural name, such as {@code foos}, and the subresource if there is
 *     one, as in {@code foos/status}
 * @param group the API group; empty for the core group
 * @param namespace the namespace; empty for all namespaces, and for cluster-scoped resources
 */
public record RequiredPermission(
    List<String> verbs, String resource, String group, String namespace) {

  /** A placeholder for a permission that is not known. */
  public static final RequiredPermission UNKNOWN = new RequiredPermission(List.of(), "", "", "");

  /**
   * The names of built-in API groups that contain a dot. A group whose name does not contain a dot
   * is always built in.
   */
  private static final Set<String> BUILT_IN =
      Set.of(
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io");

  /** Creates a permission with an immutable copy of the verbs. */
  public RequiredPermission {
    verbs = List.copyOf(verbs);
  }

  /** Creates a permission for a resource that is only described. */
  static RequiredPermission named(String verb, String description) {
    return new RequiredPermission(List.of(verb), description, "", "");
  }

  /** Returns whether this permission has all verbs of the other one, for the same resource. */
  boolean includes(RequiredPermission other) {
    return verbs.containsAll(other.verbs)
        && resource.equals(other.resource)
        && group.equals(other.group);
  }

  /** Returns whether the resource is known to be built into Kubernetes. */
  boolean isBuiltIn() {
    return !resource.isEmpty() && (!group.contains(".") || BUILT_IN.contains(group));
  }

  /**
   * Returns a description of the permission, such as {@code the verb get on pods in namespace
   * shop}.
   */
  @Override
  public String toString() {
    if (verbs.isEmpty()) {
      return "the verb and the resource that the response names";
    }
    return (verbs.size() == 1 ? "the verb " : "the verbs ")
        + String.join(" and ", verbs)
        + " on "
        + resource
        + (group.isEmpty() ? "" : " of the group " + group)
        + (namespace.isEmpty() ? "" : " in namespace " + namespace);
  }
}
