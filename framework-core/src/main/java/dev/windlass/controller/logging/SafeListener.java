// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.scheduling.FatalErrors;
import java.util.function.Consumer;

/**
 * Calls listeners safely. If a listener violates its contract and throws an exception, this class
 * logs the exception and otherwise ignores it.
 */
public final class SafeListener {

  private SafeListener() {}

  public static void safely(ControllerListener listener, Consumer<ControllerListener> call) {
    try {
      call.accept(listener);
    } catch (Throwable t) { // user code, called while a request is processed
      FatalErrors.rethrow(t);
      SafeLog.error("Listener {} failed; the controller continues", listener, t);
    }
  }
}
