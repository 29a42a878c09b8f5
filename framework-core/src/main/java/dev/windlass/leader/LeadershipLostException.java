// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an action requires leadership but this replica is not the leader, or is no longer the
 * leader. The caller must not continue, because another replica may have become the leader and
 * taken over the work. Retries fail until this replica becomes the leader.
 */
public final class LeadershipLostException extends IllegalStateException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a message that names the lease and states the reason
   */
  public LeadershipLostException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a message that names the lease and states the reason
   * @param cause the cause, or null if there is none
   */
  public LeadershipLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
