// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;

/**
 * Guards actions that only the leader may take. The fence is open while this replica is permitted
 * to act as the leader. Unlike a callback, a fence is never late. It compares the monotonic clock
 * with a deadline that is known in advance, so a process that was frozen finds the fence closed as
 * soon as it resumes. Implementations are thread-safe, and a check reads the clock once.
 */
public interface Fence {

  /** A fence that is always open, for programs without leader election. */
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

  /** Returns whether an action that starts now is permitted. */
  boolean holds();

  /**
   * Checks that an action that starts now is permitted.
   *
   * @return the time limit of the action; no other replica leads before this time is over
   * @throws LeadershipLostException if the fence is closed; the message states the reason
   */
  Duration check();

  /** A request or connection that has passed a fence and is in progress. */
  @FunctionalInterface
  interface Action {

    /** Reports that the action has completed. This method is idempotent. */
    void ended();
  }

  /**
   * Registers an action that has passed the fence. The lease is not released before the action has
   * completed.
   *
   * @param cut ends the action; called if the fence closes during the action or is already closed;
   *     must not block
   * @return the action, which must be notified when it has completed
   */
  default Action pass(Runnable cut) {
    return () -> {};
  }

  /**
   * Returns an interceptor that fences the writes of an HTTP client. When a request other than a
   * read is passed to the transport, the interceptor checks the fence. It also limits the duration
   * of the request, so that the request is abandoned before another replica can lead. A rejected
   * request fails with a {@link LeadershipLostException}, is not retried, and is not sent over the
   * network.
   */
  static Interceptor guarding(Fence fence) {
    return new FenceInterceptor(fence);
  }
}
