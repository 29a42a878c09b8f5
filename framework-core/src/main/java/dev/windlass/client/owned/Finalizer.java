// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Cleans up what an object has left behind elsewhere, before the object is deleted.
 *
 * @param <T> the type of the object
 */
@FunctionalInterface
public interface Finalizer<T extends HasMetadata> {

  /**
   * Cleans up. May be called again after it was done, if the process dies or another writer changes
   * the object at the same moment, so it must accept that resources are already gone.
   *
   * @param object an object that is being deleted
   * @return {@link Result#done()} if nothing is left, and the object may be deleted; otherwise,
   *     when to be called again
   * @throws Exception if the clean-up failed; the object stays, and the queue retries
   */
  Result cleanUp(T object) throws Exception;
}
