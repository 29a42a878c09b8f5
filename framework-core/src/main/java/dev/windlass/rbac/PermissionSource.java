// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

/** A component that requires permissions on the API server throughout its lifetime. */
@FunctionalInterface
public interface PermissionSource {

  /**
   * Returns the permissions that the component currently requires. The result can change, for
   * example when a controller's {@code NamespaceSet} changes. Any thread can call this method.
   */
  Permissions permissions();
}
