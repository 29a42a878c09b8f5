// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Logs failures without throwing exceptions. The calling thread continues even if logging fails,
 * for example because memory is exhausted.
 */
public final class SafeLog {

  private static final Logger log = ControllerLog.get();

  private SafeLog() {}

  /**
   * Logs an error. Ignores exceptions that the logger throws.
   *
   * @param sentence the message, with a placeholder for {@code who}
   */
  public static void error(String sentence, Object who, Throwable t) {
    try {
      log.error(sentence, who, OneLine.of(t));
    } catch (Throwable again) { // the thread must continue, and the failure cannot be reported
      FatalErrors.rethrow(again);
    }
  }

  /**
   * Calls a listener. If it violates its contract and throws an exception, logs the exception and
   * otherwise ignores it.
   */
  public static void safely(ControllerListener listener, Consumer<ControllerListener> call) {
    try {
      call.accept(listener);
    } catch (Throwable t) { // user code, called while a request is processed
      FatalErrors.rethrow(t);
      error("Listener {} failed; the controller continues", listener, t);
    }
  }
}
