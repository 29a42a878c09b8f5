// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;

/** Thrown if a write to a Lease fails because the Lease is not in the expected state. */
final class LeaseChangedException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  LeaseChangedException(String message) {
    super(message);
  }
}
