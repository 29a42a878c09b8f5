// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Setting} from outside of the program can't be used. The message names the system
 * property or the variable, its value, and what is accepted. Apart from other illegal arguments,
 * because it is for whoever starts the program, like a wrong switch, and not for whoever wrote it.
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
