// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Cleans up the external resources of an object before the object is deleted.
 *
 * @param <T> the type of the object
 */
@FunctionalInterface
public interface Finalizer<T extends HasMetadata> {

  /**
   * Cleans up. May be called again after it has finished, if the process dies or another writer
   * changes the object at the same time, so it must accept that resources no longer exist.
   *
   * @param object an object that is being deleted
   * @return {@link Result#done()} if the clean-up is complete and the object may be deleted;
   *     otherwise, a result that states when to call it again
   * @throws Exception if the clean-up failed; the object stays, and the queue retries
   */
  Result cleanUp(T object) throws Exception;
}
