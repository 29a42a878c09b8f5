// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the logger {@code dev.windlass.controller.Controller}. All packages of the controller
 * use this logger.
 */
public final class ControllerLog {

  private static final Logger log = LoggerFactory.getLogger("dev.windlass.controller.Controller");

  private ControllerLog() {}

  public static Logger get() {
    return log;
  }
}
