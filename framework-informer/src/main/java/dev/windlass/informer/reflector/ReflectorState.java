// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

/** The state of a {@link Reflector}, and the resources that the state holds. */
sealed interface ReflectorState<T> {

  /** The variants of {@link ReflectorState}, for exhaustive {@code switch} statements. */
  enum Type {
    RESTING,
    LISTING,
    WATCHING
  }

  Type type();

  void close();

  /** The action that follows a wait. */
  enum Next {
    LIST,
    WATCH
  }

  /**
   * The state in which the reflector waits before its next request.
   *
   * @param until the time at which the wait ends, in nanoseconds of the monotonic clock
   * @param next the request that follows the wait
   */
  record Resting<T>(long until, Next next) implements ReflectorState<T> {
    @Override
    public Type type() {
      return Type.RESTING;
    }

    @Override
    public void close() {}
  }

  /** The state in which the reflector reads a list, as a stream or in pages. */
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
   * The state in which the reflector reads a watch. All times are in nanoseconds of the monotonic
   * clock.
   *
   * @param stream the response to the watch request
   * @param resourceVersion the version from which the watch started
   * @param openedAt the time of the request
   * @param acceptBy the time by which the server must have accepted the watch
   * @param deadline the time by which the watch must have ended
   * @param ours whether the reflector itself ends the watch at the deadline. This is true if the
   *     watch began as a streaming list: the server's time limit for such a watch is too long to
   *     detect a dead connection in time
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
