// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

/**
 * Thrown by a built-in check that has found a problem. The exception does not have a stack trace,
 * because it does not report a fault in the code.
 */
public final class UnhealthyException extends Exception {

  private static final long serialVersionUID = 1;

  public UnhealthyException(String cause) {
    super(cause, null, false, false);
  }
}
