// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Cleans up an object's external resources before the object is deleted.
 *
 * @param <T> the object's type
 */
@FunctionalInterface
public interface Finalizer<T extends HasMetadata> {

  /**
   * Cleans up an object's external resources. The framework can call this method again after it has
   * completed, for example if the process stops or another writer changes the object at the same
   * time. The method must therefore succeed even if the resources no longer exist.
   *
   * @param object the object, which is being deleted
   * @return {@link Result#done()} if the clean-up is complete and the object can be deleted;
   *     otherwise, a result that specifies when to call this method again
   * @throws Exception if the clean-up failed; the object remains, and the queue retries the
   *     reconcile
   */
  Result cleanUp(T object) throws Exception;
}
