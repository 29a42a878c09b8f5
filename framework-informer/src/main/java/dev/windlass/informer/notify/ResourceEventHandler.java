// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

/**
 * Hears what happens to the objects of one type.
 *
 * <p>Called by one thread at a time, in order for each object, and under no lock: it may block,
 * remove itself or add others. A handler that throws, be it an {@link Error}, loses that event and
 * is called again after one second. Others are affected by neither.
 *
 * @param <T> the typed class of the objects
 */
@FunctionalInterface
public interface ResourceEventHandler<T> {

  /**
   * Takes notice of an event.
   *
   * @throws Exception what the handler can't cope with; it is logged
   */
  void handle(ResourceEvent<T> event) throws Exception;
}
