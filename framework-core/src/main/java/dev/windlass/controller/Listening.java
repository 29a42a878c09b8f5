// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import java.util.function.Consumer;

/** Tells a listener, which must not throw, and does no harm if it does. */
final class Listening {

  private Listening() {}

  static void safely(ControllerListener listener, Consumer<ControllerListener> news) {
    try {
      news.accept(listener);
    } catch (Throwable t) { // user code under the work of a request
      LastWords.error("The listener {} failed; the controller goes on", listener, t);
    }
  }
}
