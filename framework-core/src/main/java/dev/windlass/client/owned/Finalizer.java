// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Cleans up what an object has left outside of it, before the object may go.
 *
 * @param <T> the type of the object
 */
@FunctionalInterface
public interface Finalizer<T extends HasMetadata> {

  /**
   * Cleans up. May be called again after it was done: if the process dies, or if somebody changes
   * the object at the same moment. So what is gone already must be fine.
   *
   * @param object is being deleted
   * @return {@link Result#done()} if nothing is left, and the object may go; else when to be called
   *     again
   * @throws Exception if it failed; the object stays, and the queue tries again
   */
  Result cleanUp(T object) throws Exception;
}
