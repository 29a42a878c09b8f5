// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import java.util.List;

/** What a {@link Reflector} is about, with what that takes. */
sealed interface ReflectorState<T> {

  /** The variants, for exhaustive switches. */
  enum Type {
    RESTING,
    LISTING,
    WATCHING
  }

  Type type();

  /** What comes after a rest. */
  enum Next {
    LIST,
    WATCH
  }

  /** Waits for a point in time. */
  record Resting<T>(long until, Next next) implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.RESTING;
    }
  }

  /**
   * Reads a list.
   *
   * @param objects what the pages so far have brought; grows
   * @param deadline when to give up, unless something arrives before
   */
  record Listing<T>(FeedStream stream, List<CachedObject<T>> objects, long deadline)
      implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.LISTING;
    }
  }

  /**
   * Reads a watch.
   *
   * @param resourceVersion from where it started
   * @param openedAt when it was asked for
   * @param deadline when the server must have ended it
   */
  record Watching<T>(FeedStream stream, String resourceVersion, long openedAt, long deadline)
      implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.WATCHING;
    }
  }
}
