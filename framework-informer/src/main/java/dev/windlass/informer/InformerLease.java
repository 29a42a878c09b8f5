// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

/**
 * The right to use an informer that others may use, too. The last one to be closed stops the watch
 * and frees the memory.
 *
 * <p>All methods may be called from any thread.
 *
 * @param <T> the typed class of the objects
 */
public interface InformerLease<T> extends AutoCloseable {

  /** The informer; of no more use once the lease is closed. */
  SharedIndexInformer<T> informer();

  /**
   * Gives the informer up. Handlers that were added stay as long as somebody else uses it: remove
   * them first. Does not wait for threads to end. Repeatable.
   */
  @Override
  void close();
}
