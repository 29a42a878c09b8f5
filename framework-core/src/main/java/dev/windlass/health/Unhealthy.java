// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

/** What one of our own checks has found; without a stack, as it is no failure of the code. */
final class Unhealthy extends Exception {

  private static final long serialVersionUID = 1;

  Unhealthy(String cause) {
    super(cause, null, false, false);
  }
}
