// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import dev.windlass.logging.OneLine;
import org.slf4j.Logger;

/**
 * Logs a failure that a thread must survive, even if logging itself fails, for example for lack of
 * memory.
 */
public final class SafeLog {

  private static final Logger log = ControllerLog.get();

  private SafeLog() {}

  /**
   * Logs an error, if possible.
   *
   * @param sentence about {@code who}, with a placeholder for it
   */
  public static void error(String sentence, Object who, Throwable t) {
    try {
      log.error(sentence, who, OneLine.of(t));
    } catch (Throwable again) { // the thread must continue, and nothing can report this
    }
  }
}
