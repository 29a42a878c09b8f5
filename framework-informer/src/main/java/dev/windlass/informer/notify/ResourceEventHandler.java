// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

/**
 * Receives the events for the objects of one type.
 *
 * <p>The events for one object arrive in order. Only one thread at a time calls the handler. The
 * handler can block, remove itself, or add other handlers.
 *
 * <p>If a handler throws an exception, even an {@link Error}, the event is lost. The informer
 * delivers the next event to this handler after one second. Other handlers are unaffected.
 *
 * @param <T> the Java class of the objects
 */
@FunctionalInterface
public interface ResourceEventHandler<T> {

  /**
   * Handles an event.
   *
   * @throws Exception if the handler fails; the informer logs the exception
   */
  void handle(ResourceEvent<T> event) throws Exception;
}
