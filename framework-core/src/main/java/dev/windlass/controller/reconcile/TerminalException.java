// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * Thrown by a reconcile to report a failure that a retry cannot fix. The request is dropped and its
 * back-off is reset. Only a change leads to a new request. The exception also takes effect if it is
 * the cause of another exception.
 */
public class TerminalException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message. */
  public TerminalException(String message) {
    super(message);
  }

  /** Creates an exception with a message and a cause. */
  public TerminalException(String message, Throwable cause) {
    super(message, cause);
  }
}
