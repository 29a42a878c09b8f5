// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

/**
 * A handle for a shared informer. Each user of the informer has its own handle. When the last
 * handle is closed, the informer stops its watch and releases its memory, unless {@link
 * SharedInformerFactory#informer} has also returned the informer.
 *
 * <p>All methods can be called from any thread.
 *
 * @param <T> the Java class of the objects
 */
public interface InformerHandle<T> extends AutoCloseable {

  /** Returns the informer. The caller must not use the informer after closing the handle. */
  SharedIndexInformer<T> informer();

  /**
   * Releases the informer. If the informer has other users, the handlers that this user added
   * remain registered, so remove them first. This method does not wait for threads to terminate. It
   * is idempotent.
   */
  @Override
  void close();
}
