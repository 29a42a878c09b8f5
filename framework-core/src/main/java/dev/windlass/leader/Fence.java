// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;

/**
 * Guards actions that only the leader may take. The fence is open while this replica is permitted
 * to act as the leader. To check the fence, an implementation compares the monotonic clock with a
 * deadline that is known in advance. Unlike a callback, the fence therefore never closes too late:
 * if a process was frozen beyond the deadline, the fence is closed as soon as the process resumes.
 * Implementations are thread-safe.
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

  /** Returns whether the fence is open, that is, whether an action is permitted to start now. */
  boolean holds();

  /**
   * Checks that the fence is open and returns the time limit for an action that starts now.
   *
   * @return the time within which the action must complete. During this time, another replica
   *     cannot become the leader
   * @throws LeadershipLostException if the fence is closed; the message states the reason
   */
  Duration check();

  /** An action, such as a request or a connection, that has passed a fence and is in progress. */
  @FunctionalInterface
  interface Action {

    /**
     * Reports that the action has completed. The caller of {@link Fence#pass} must call this method
     * after each action. This method is idempotent.
     */
    void ended();
  }

  /**
   * Registers an action that has passed the fence. The elector does not release the lease before
   * the action has completed.
   *
   * @param cut aborts the action. The fence runs it if the fence is already closed or closes during
   *     the action. It must not block
   * @return a handle. The caller must call {@link Action#ended} on it when the action has completed
   */
  default Action pass(Runnable cut) {
    return () -> {};
  }

  /**
   * Returns an interceptor that guards an HTTP client's writes. The interceptor checks the fence
   * before the client sends a write. If the fence is closed, the write fails with a {@link
   * LeadershipLostException} and is not retried. If the fence is open, the interceptor limits the
   * duration of the write, so that it is aborted before another replica can become the leader.
   * Reads are not affected.
   *
   * <p>If another interceptor of the client repeats a request, for example with a new token after a
   * rejection with 401, fabric8's client calls no interceptor again, and the repetition does not
   * pass the fence. A manager's clients do not have this gap.
   */
  static Interceptor guarding(Fence fence) {
    return new FenceInterceptor(fence);
  }
}
