// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

/** The state of a {@link Reflector}, and the resources it holds. */
sealed interface ReflectorState<T> {

  /** The variants, for exhaustive switches. */
  enum Type {
    RESTING,
    LISTING,
    WATCHING
  }

  Type type();

  /** Ends the open request, if there is one. */
  void close();

  /** The action that follows a rest. */
  enum Next {
    LIST,
    WATCH
  }

  /** Waits until a point in time. */
  record Resting<T>(long until, Next next) implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.RESTING;
    }

    @Override
    public void close() {}
  }

  /** Reads a list, as a stream or in pages. */
  record Listing<T>(ListReader<T> reader) implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.LISTING;
    }

    @Override
    public void close() {
      reader.close();
    }
  }

  /**
   * Reads a watch.
   *
   * @param resourceVersion the version from which it started
   * @param openedAt when it was requested
   * @param acceptBy when the server must have accepted it
   * @param deadline when the watch must have ended
   * @param ours whether the reflector itself ends the watch at the deadline, because it began as a
   *     streaming list, whose time limit on the server is longer than the time in which a dead
   *     connection must be noticed
   */
  record Watching<T>(
      FeedStream stream,
      String resourceVersion,
      long openedAt,
      long acceptBy,
      long deadline,
      boolean ours)
      implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.WATCHING;
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
