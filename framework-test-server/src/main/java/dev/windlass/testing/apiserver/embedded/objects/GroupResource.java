// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

/**
 * A resource independent of its version, which is the key under which the store keeps its objects.
 *
 * @param group the API group; empty for the core group
 * @param plural the name in URLs, such as {@code deployments}
 */
public record GroupResource(String group, String plural) {

  /**
   * Returns the form used in error messages: {@code deployments.apps}, or {@code pods} in the core
   * group.
   */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
