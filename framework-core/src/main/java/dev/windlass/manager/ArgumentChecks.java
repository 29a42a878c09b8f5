// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/** Checks the arguments of a {@link ManagerBuilder}. */
final class ArgumentChecks {

  private ArgumentChecks() {}

  /**
   * Returns the value, or throws an exception if it is null.
   *
   * @param call the method that received the value
   * @throws NullPointerException if the value is null; the message names the call
   */
  static <V> V given(@Nullable V value, String call) {
    if (value == null) {
      throw new NullPointerException(
          "the manager received null through " + call + "(...): pass a value, or omit the call");
    }
    return value;
  }
}
