// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import dev.windlass.object.ResourceType;
import java.util.Comparator;

/**
 * The permission for one operation on the objects of one type. Permissions are ordered by
 * namespace, group, resource, name and verb.
 *
 * @param namespace the namespace; empty for all namespaces, and for cluster-scoped types
 * @param group the API group; empty for the core group
 * @param resource the resource's plural name or, for a subresource, the plural name, a slash and
 *     the subresource's name, such as {@code foos/status}
 * @param name the name of the object to which the permission is limited; empty for all objects
 * @param verb the permitted operation
 */
public record Permission(String namespace, String group, String resource, String name, Verb verb)
    implements Comparable<Permission> {

  private static final Comparator<Permission> ORDER =
      Comparator.comparing(Permission::namespace)
          .thenComparing(Permission::group)
          .thenComparing(Permission::resource)
          .thenComparing(Permission::name)
          .thenComparing(Permission::verb);

  /**
   * Returns the permission for an operation on all objects of a type.
   *
   * @param namespace the namespace, or an empty string for all namespaces; ignored for a
   *     cluster-scoped type
   */
  public static Permission of(ResourceType type, String namespace, Verb verb) {
    String where = type.namespaced() ? namespace : "";
    return new Permission(where, type.group(), type.plural(), "", verb);
  }

  /**
   * Returns a copy of this permission that applies to the given subresource, such as {@code
   * status}, and not to the object itself.
   */
  public Permission subresource(String subresource) {
    return new Permission(namespace, group, resource + "/" + subresource, name, verb);
  }

  /** Returns a copy of this permission that is restricted to the object with the given name. */
  public Permission named(String other) {
    return new Permission(namespace, group, resource, other, verb);
  }

  /** Returns a copy of this permission for another operation on the same objects. */
  public Permission with(Verb other) {
    return new Permission(namespace, group, resource, name, other);
  }

  /** Returns whether this permission includes the given permission. */
  public boolean covers(Permission other) {
    return (namespace.isEmpty() || namespace.equals(other.namespace))
        && (name.isEmpty() || name.equals(other.name))
        && group.equals(other.group)
        && resource.equals(other.resource)
        && verb == other.verb;
  }

  @Override
  public int compareTo(Permission other) {
    return ORDER.compare(this, other);
  }

  /**
   * Returns a description of this permission, such as {@code update leases.coordination.k8s.io
   * "foo" in the namespace shop}. If the namespace is empty, the description ends with {@code in
   * the whole cluster}.
   */
  @Override
  public String toString() {
    int slash = resource.indexOf('/');
    String plural = slash < 0 ? resource : resource.substring(0, slash);
    return verb
        + " "
        + plural
        + (group.isEmpty() ? "" : "." + group)
        + (slash < 0 ? "" : resource.substring(slash))
        + (name.isEmpty() ? "" : " \"" + name + "\"")
        + (namespace.isEmpty() ? " in the whole cluster" : " in the namespace " + namespace);
  }
}
