// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

/**
 * The cause of a problem that a built-in check has found. It has no stack trace, because it is not
 * a failure of the code.
 */
public final class UnhealthyException extends Exception {

  private static final long serialVersionUID = 1;

  public UnhealthyException(String cause) {
    super(cause, null, false, false);
  }
}
