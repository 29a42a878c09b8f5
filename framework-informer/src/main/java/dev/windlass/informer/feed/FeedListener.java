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
   * A full list was read.
   *
   * @param objects how many it held
   */
  default void listed(int objects) {}

  /** A watch was opened, or reopened, from a version. */
  default void watching(String resourceVersion) {}

  /** A list or a watch failed. */
  default void failed(FeedFailure failure) {}

  /** An object was left out, because its bytes are not those of a Kubernetes object. */
  default void skipped(String why) {}
}
