// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import dev.windlass.controller.reconcile.ControllerListener;
import java.util.function.Consumer;

/**
 * Calls listeners safely: if a listener throws an exception, in violation of its contract, this
 * class logs the exception and otherwise ignores it.
 */
public final class SafeListener {

  private SafeListener() {}

  public static void safely(ControllerListener listener, Consumer<ControllerListener> call) {
    try {
      call.accept(listener);
    } catch (Throwable t) { // user code, called while a request is processed
      SafeLog.error("Listener {} failed; the controller continues", listener, t);
    }
  }
}
