// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/** What a {@link ManagerBuilder} was given. */
final class Given {

  private Given() {}

  /**
   * The value itself.
   *
   * @param call which was given it
   * @throws NullPointerException if it is null, naming the call
   */
  static <V> V given(@Nullable V value, String call) {
    if (value == null) {
      throw new NullPointerException(
          "the manager was given null by "
              + call
              + "(...): give it a value, or leave the call out");
    }
    return value;
  }
}
