// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link Setting} made outside the program is invalid. The message names the system
 * property or environment variable, its value, and the accepted values. It is a separate type
 * because it addresses the user who starts the program, as an invalid command-line option does, and
 * not the author of the program.
 */
public final class InvalidSettingException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  InvalidSettingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  InvalidSettingException(String message) {
    this(message, null);
  }
}
