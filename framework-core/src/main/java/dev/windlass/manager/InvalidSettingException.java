// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link Setting} from outside of the program can't be used. The message names the
 * system property or the variable, its value, and what is accepted. It is a separate type because
 * it addresses the person who starts the program, like a wrong command-line option, and not the
 * author of the program.
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
