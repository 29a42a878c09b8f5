// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

/** A component that needs rights on the API server for as long as it is there. */
@FunctionalInterface
public interface Declaring {

  /** Those rights; the same at each call. May be called from any thread. */
  Permissions rights();
}
