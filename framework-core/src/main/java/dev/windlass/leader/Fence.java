// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;

/**
 * Guards actions that only the leader may take. The fence is open while this replica is permitted
 * to act as the leader. Unlike a callback, a fence never closes too late: it compares the monotonic
 * clock with a deadline that is known in advance, so a process that was frozen finds the fence
 * closed as soon as it resumes. Implementations are thread-safe, and a check reads the clock only
 * once.
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

  /** Returns whether the fence is open, that is, whether an action that starts now is permitted. */
  boolean holds();

  /**
   * Checks that an action that starts now is permitted.
   *
   * @return the time within which the action must complete; until then, another replica cannot
   *     become the leader
   * @throws LeadershipLostException if the fence is closed; the message states the reason
   */
  Duration check();

  /** An action, such as a request or a connection, that has passed a fence and is in progress. */
  @FunctionalInterface
  interface Action {

    /**
     * Reports that the action has completed. The caller of {@link Fence#pass} must call this
     * method, which is idempotent, when the action has completed.
     */
    void ended();
  }

  /**
   * Registers an action that has passed the fence. The elector does not release the lease before
   * the action has completed.
   *
   * @param cut aborts the action. The fence calls it if the fence closes during the action or is
   *     already closed. It must not block
   * @return a handle; the caller must call its {@link Action#ended} when the action has completed
   */
  default Action pass(Runnable cut) {
    return () -> {};
  }

  /**
   * Returns an interceptor that fences an HTTP client's writes. Before the client passes a request
   * other than a read to the transport, the interceptor checks the fence. It also limits the
   * request's duration, so that the request is aborted before another replica can become the
   * leader. The client neither sends nor retries a rejected request, which fails with a {@link
   * LeadershipLostException}.
   */
  static Interceptor guarding(Fence fence) {
    return new FenceInterceptor(fence);
  }
}
