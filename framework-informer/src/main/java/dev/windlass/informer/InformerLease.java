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

  /** Returns the informer, which must not be used after the lease has been closed. */
  SharedIndexInformer<T> informer();

  /**
   * Releases the informer. Handlers that were added remain while the informer has other users, so
   * remove them first. Does not wait for threads to end. Idempotent.
   */
  @Override
  void close();
}
