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
   * Called when a full list is requested, and again at each retry of a failed list.
   *
   * @param streaming whether the list is requested as a stream of initial events, rather than in
   *     pages
   */
  default void listing(ListReason reason, boolean streaming) {}

  /**
   * Called when a full list has been read.
   *
   * @param objects the number of objects in the list
   */
  default void listed(int objects) {}

  /** Called when a watch is opened, or reopened, from the given version. */
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

  /** Called when an object is omitted because its bytes do not represent a Kubernetes object. */
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
