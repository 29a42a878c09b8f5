// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if this replica does not lead, or no longer leads. The caller must stop acting, because
 * another replica may be the leader and will do the work. Retrying does not help.
 */
public final class LeadershipLostException extends IllegalStateException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an exception with its reason.
   *
   * @param message names the lease and states what happened to it
   */
  public LeadershipLostException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its reason and cause.
   *
   * @param cause null if there is none
   */
  public LeadershipLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
