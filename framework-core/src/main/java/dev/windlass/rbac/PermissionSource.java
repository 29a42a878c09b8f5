// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

/** A component that requires permissions on the API server while it exists. */
@FunctionalInterface
public interface PermissionSource {

  /**
   * Returns the required permissions. Every call returns the same result. This method can be called
   * from any thread.
   */
  Permissions rights();
}
