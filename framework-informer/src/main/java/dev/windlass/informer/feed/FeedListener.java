// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

/**
 * Hears what a {@link Reflector} does; metrics and tests are made of it. Called by the reflector's
 * thread; must be quick and must not throw.
 */
public interface FeedListener {

  /** Hears nothing. */
  FeedListener NONE = new FeedListener() {};

  /**
   * A full list is asked for. Called again if that failed and is tried again.
   *
   * @param streaming whether as a stream of initial events, or in pages
   */
  default void listing(ListReason reason, boolean streaming) {}

  /**
   * A full list was read.
   *
   * @param objects how many it held
   */
  default void listed(int objects) {}

  /** A watch was opened, or reopened, from a version. */
  default void watching(String resourceVersion) {}

  /** A watch brought a change or a bookmark. */
  default void event(FeedEvent.Type type) {}

  /** A list or a watch failed. */
  default void failed(FeedFailure failure) {}

  /** The server does not stream lists, or not to an end; pages are read instead. */
  default void streamRefused(FeedFailure failure) {}

  /** An object was left out, because its bytes are not those of a Kubernetes object. */
  default void skipped(String why) {}

  /** A watch brought a version that is lower than one before it. */
  default void outOfOrder() {}

  /** The server's versions went back in time. */
  default void wentBack() {}

  /**
   * An audit compared the cache with the server.
   *
   * @param mismatches how many objects differed
   */
  default void audited(int mismatches) {}

  /** The reflector has ended; it tells nothing after this. */
  default void closed() {}
}
