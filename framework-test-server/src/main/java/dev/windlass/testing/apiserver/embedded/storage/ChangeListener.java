// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import dev.windlass.testing.apiserver.embedded.objects.GroupResource;

/** Receives each committed write, in order of resourceVersion. */
@FunctionalInterface
public interface ChangeListener {

  /**
   * Handles a change. The store calls this method while it holds its lock, after it has applied the
   * change. Implementations must not block.
   */
  void changed(GroupResource resource, Change change);
}
