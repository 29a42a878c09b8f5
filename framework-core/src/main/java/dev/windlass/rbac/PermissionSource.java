// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

/** A component that needs permissions on the API server while it exists. */
@FunctionalInterface
public interface PermissionSource {

  /** Returns the permissions, which are the same in each call. May be called from any thread. */
  Permissions rights();
}
