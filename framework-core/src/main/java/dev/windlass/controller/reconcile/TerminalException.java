// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

/**
 * A reconcile failed in a way that trying again can't cure. The request is dropped and its back-off
 * forgotten, until something changes that leads to a new one. It counts as well when it is the
 * cause of another exception.
 */
public class TerminalException extends Exception {

  private static final long serialVersionUID = 1L;

  /** A failure with what went wrong. */
  public TerminalException(String message) {
    super(message);
  }

  /** A failure with what went wrong and why. */
  public TerminalException(String message, Throwable cause) {
    super(message, cause);
  }
}
