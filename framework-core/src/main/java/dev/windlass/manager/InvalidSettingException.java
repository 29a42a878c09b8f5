// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link Setting} from outside the program is invalid. The message names the source,
 * such as a system property or an environment variable, quotes the invalid value, and states the
 * accepted values or the cause. This exception has its own type because its message is not intended
 * for the program's author, but for the user who starts the program. A program can throw it for its
 * own settings: {@code framework-cli} reports the message in one line and exits with code 2.
 */
public final class InvalidSettingException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  InvalidSettingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Creates an exception with a message for the user who starts the program. */
  public InvalidSettingException(String message) {
    this(message, null);
  }
}
