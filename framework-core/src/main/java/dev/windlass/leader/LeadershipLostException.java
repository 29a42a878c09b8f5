// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if this replica does not lead, or no longer leads. The caller must stop acting, because
 * another replica may be the leader and will do the work. A retry does not help.
 */
public final class LeadershipLostException extends IllegalStateException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an exception that has no cause.
   *
   * @param message a message that names the lease and states the reason
   */
  public LeadershipLostException(String message) {
    super(message);
  }

  /**
   * Creates an exception that has a cause.
   *
   * @param cause the cause; null if there is none
   */
  public LeadershipLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
