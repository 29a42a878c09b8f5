// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;

/**
 * Guards actions that only the leader may take: the fence is open while this replica may act as the
 * leader. Unlike a callback, a fence can't be late: it compares the monotonic clock with a deadline
 * that is known in advance, so a process that was frozen finds it closed as soon as it resumes.
 * Thread safe; a check costs one clock reading.
 */
public interface Fence {

  /** The fence of a program without leader election: always open. */
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

  /** Returns whether an action that starts now may act as the leader. */
  boolean holds();

  /**
   * Checks that an action may start now.
   *
   * @return how long the action may take: no other replica leads before that time is over
   * @throws LeadershipLostException if the fence is closed; the message states the reason
   */
  Duration check();

  /** An action that has passed a fence and is under way: a request, or a connection. */
  @FunctionalInterface
  interface Passage {

    /** Reports that the action has ended. Idempotent. */
    void ended();
  }

  /**
   * Registers an action that has passed the fence. The lease is not released before the action has
   * ended.
   *
   * @param cut ends the action; called if the fence closes meanwhile or is already closed; must not
   *     block
   * @return the passage, which must be notified when the action has ended
   */
  default Passage pass(Runnable cut) {
    return () -> {};
  }

  /**
   * Returns an interceptor that fences the writes of an HTTP client. It checks each request except
   * reads when the request is passed to the transport. It also limits the duration of the request,
   * so that the request is abandoned once this replica may no longer act as the leader. A rejected
   * request fails with {@link LeadershipLostException}, is not retried, and does not reach the
   * network.
   */
  static Interceptor guarding(Fence fence) {
    return new WriteGuard(fence);
  }
}
