// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/**
 * A resource independent of its version: the key under which the store keeps its objects.
 *
 * @param group the API group, empty for core
 * @param plural the name in URLs, such as {@code deployments}
 */
record GroupResource(String group, String plural) {

  /**
   * Returns {@code deployments.apps}, or {@code pods} in the core group: the form used in error
   * messages.
   */
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
