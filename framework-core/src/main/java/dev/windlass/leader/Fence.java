// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;

/**
 * Whether this replica may still act as the leader. Unlike a callback it can't come too late: it
 * compares the monotonic clock with a deadline that is known beforehand, so that a process which
 * was frozen and goes on finds it closed at once. Thread safe; asking it costs a clock reading.
 */
public interface Fence {

  /** The fence of a program that elects no leader: always open. */
  Fence OPEN =
      new Fence() {
        @Override
        public boolean holds() {
          return true;
        }

        @Override
        public Duration check() {
          return Duration.ofMillis(Long.MAX_VALUE);
        }

        @Override
        public String toString() {
          return "an open fence";
        }
      };

  /** Whether what is begun now is begun as the leader. */
  boolean holds();

  /**
   * Refuses what is begun too late.
   *
   * @return how long it may take: if it is given up after that, nobody else leads before
   * @throws LeadershipLostException if the fence is closed, saying why
   */
  Duration check();

  /** Something that has passed a fence and is under way: a request, or a connection. */
  @FunctionalInterface
  interface Passage {

    /** It has ended. Repeatable. */
    void ended();
  }

  /**
   * Notes something that has passed, until it has ended: a lease is not given back before that.
   *
   * @param cut ends it, if the fence closes meanwhile or is closed already; must not block
   * @return to be told that it has ended
   */
  default Passage pass(Runnable cut) {
    return () -> {};
  }

  /**
   * What keeps writes from leaving through an HTTP client: each request but reads is checked when
   * it is handed to the transport, and given up when nobody can be sure any more that it comes from
   * the leader. A request that is refused fails with {@link LeadershipLostException}, is not
   * repeated, and does not reach the network.
   */
  static Interceptor guarding(Fence fence) {
    return new WriteGuard(fence);
  }
}
