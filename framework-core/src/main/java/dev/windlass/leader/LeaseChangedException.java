// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;

/** A Lease was not written, because it is not what the writer thought it was. */
final class LeaseChangedException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  LeaseChangedException(String message) {
    super(message);
  }
}
