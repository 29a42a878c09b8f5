// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/**
 * Receives notifications from a {@link Reflector}, for metrics and tests. The reflector's thread
 * calls the methods, which must return quickly and must not throw exceptions.
 */
public interface FeedListener {

  /** A listener that ignores all notifications. */
  FeedListener NONE = new FeedListener() {};

  /**
   * Called when the reflector requests a full list, or retries a full list that failed.
   *
   * @param streaming whether the reflector requests the list as a stream of initial events, rather
   *     than in pages
   */
  default void listing(ListReason reason, boolean streaming) {}

  /**
   * Called when the reflector has read a full list.
   *
   * @param objects the number of objects in the list
   */
  default void listed(int objects) {}

  /** Called when the reflector opens or reopens a watch from the given version. */
  default void watching(String resourceVersion) {}

  /** Called when a watch delivers a change or a bookmark. */
  default void event(FeedEvent.Type type) {}

  /** Called when a list or a watch has failed. */
  default void failed(FeedFailure failure) {}

  /**
   * Called when the server rejects a streaming list or does not complete it. The reflector then
   * reads pages instead.
   */
  default void streamRefused(FeedFailure failure) {}

  /**
   * Called when the reflector omits an object because its bytes do not represent a Kubernetes
   * object.
   */
  default void skipped(String why) {}

  /** Called when a watch delivers a version that is lower than an earlier version. */
  default void outOfOrder() {}

  /**
   * Called when the server's versions are lower than before, for example after a backup was
   * restored.
   */
  default void wentBack() {}

  /**
   * Called when an audit has compared the cache with the server.
   *
   * @param mismatches the number of objects that differed
   */
  default void audited(int mismatches) {}

  /** Called when the reflector has stopped. This is the last call. */
  default void closed() {}
}
