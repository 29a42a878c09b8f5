// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

/**
 * A lease on an informer that may have other users. Closing the last lease stops the watch and
 * frees the memory.
 *
 * <p>All methods may be called from any thread.
 *
 * @param <T> the typed class of the objects
 */
public interface InformerLease<T> extends AutoCloseable {

  /** Returns the informer, which is of no further use once the lease is closed. */
  SharedIndexInformer<T> informer();

  /**
   * Releases the informer. Handlers that were added stay as long as the informer has other users:
   * remove them first. Does not wait for threads to end. Idempotent.
   */
  @Override
  void close();
}
