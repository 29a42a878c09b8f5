// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import dev.windlass.object.OneLine;
import org.slf4j.Logger;

/** Reports what a thread survives, and survives it if even that fails, as for want of memory. */
public final class SafeLog {

  private static final Logger log = ControllerLog.get();

  private SafeLog() {}

  /**
   * Logs an error, if that can be done.
   *
   * @param sentence about {@code who}, with a place for it
   */
  public static void error(String sentence, Object who, Throwable t) {
    try {
      log.error(sentence, who, OneLine.of(t));
    } catch (Throwable again) { // the thread must go on, and there is nobody else to tell
    }
  }
}
