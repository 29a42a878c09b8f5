// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

/**
 * Identifies a resource independently of its version. The store groups its objects by this key.
 *
 * @param group the API group; empty for the core group
 * @param plural the name in URLs, such as {@code deployments}
 */
public record GroupResource(String group, String plural) {

  /**
   * Returns the name used in error messages, such as {@code deployments.apps}, or {@code pods} for
   * a resource in the core group.
   */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
