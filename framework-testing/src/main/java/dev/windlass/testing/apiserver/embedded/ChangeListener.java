// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/** Learns of each committed write, in the order of their resourceVersions. */
@FunctionalInterface
interface ChangeListener {

  /** Called under the store's lock, after the change can be read; must not block. */
  void changed(GroupResource resource, Change change);
}
