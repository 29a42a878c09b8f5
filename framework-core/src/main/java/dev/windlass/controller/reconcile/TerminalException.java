// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Thrown by a reconciler to report a failure that a retry cannot resolve. The controller drops the
 * request, resets its back-off, and does not reconcile the object again until the next event or
 * resync, or the interval of {@code ControllerBuilder.retryAfterGivingUp}. The exception has the
 * same effect if it is the cause of another exception.
 */
public class TerminalException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with the given message. */
  public TerminalException(String message) {
    super(message);
  }

  /** Creates an exception with the given message and cause. */
  public TerminalException(String message, Throwable cause) {
    super(message, cause);
  }
}
