// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/**
 * Receives notifications from a {@link Reflector}, for metrics and tests. The reflector's thread
 * calls the methods. They must return quickly and must not throw exceptions.
 */
public interface FeedListener {

  /** A listener that ignores all notifications. */
  FeedListener NONE = new FeedListener() {};

  /**
   * Called when the reflector requests a full list, for the first time or again after a failure.
   *
   * @param streaming whether the list is requested as a stream of initial events, rather than in
   *     pages
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
   * requests the list in pages.
   */
  default void streamRefused(FeedFailure failure) {}

  /**
   * Called when the reflector omits an object because its bytes do not represent a Kubernetes
   * object.
   */
  default void skipped(String why) {}

  /** Called when a watch event has a lower resource version than an earlier event. */
  default void outOfOrder() {}

  /**
   * Called when the server's resource versions have decreased, for example after a backup was
   * restored.
   */
  default void wentBack() {}

  /**
   * Called when an audit has compared the cache with the server.
   *
   * @param mismatches the number of objects for which the cache and the server differed
   */
  default void audited(int mismatches) {}

  /** Called when the reflector has stopped. This is the last call. */
  default void closed() {}

  /** Returns a listener that passes each call to this listener, and then to the given one. */
  default FeedListener and(FeedListener next) {
    FeedListener first = this;
    return new FeedListener() {
      @Override
      public void listing(ListReason reason, boolean streaming) {
        first.listing(reason, streaming);
        next.listing(reason, streaming);
      }

      @Override
      public void listed(int objects) {
        first.listed(objects);
        next.listed(objects);
      }

      @Override
      public void watching(String resourceVersion) {
        first.watching(resourceVersion);
        next.watching(resourceVersion);
      }

      @Override
      public void event(FeedEvent.Type type) {
        first.event(type);
        next.event(type);
      }

      @Override
      public void failed(FeedFailure failure) {
        first.failed(failure);
        next.failed(failure);
      }

      @Override
      public void streamRefused(FeedFailure failure) {
        first.streamRefused(failure);
        next.streamRefused(failure);
      }

      @Override
      public void skipped(String why) {
        first.skipped(why);
        next.skipped(why);
      }

      @Override
      public void outOfOrder() {
        first.outOfOrder();
        next.outOfOrder();
      }

      @Override
      public void wentBack() {
        first.wentBack();
        next.wentBack();
      }

      @Override
      public void audited(int mismatches) {
        first.audited(mismatches);
        next.audited(mismatches);
      }

      @Override
      public void closed() {
        first.closed();
        next.closed();
      }
    };
  }
}
