// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import dev.windlass.controller.reconcile.ControllerListener;
import java.util.function.Consumer;

/** Tells a listener, which must not throw, and does no harm if it does. */
public final class SafeListener {

  private SafeListener() {}

  public static void safely(ControllerListener listener, Consumer<ControllerListener> news) {
    try {
      news.accept(listener);
    } catch (Throwable t) { // user code under the work of a request
      SafeLog.error("The listener {} failed; the controller goes on", listener, t);
    }
  }
}
