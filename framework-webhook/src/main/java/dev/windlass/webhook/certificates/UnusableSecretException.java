// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

/**
 * Thrown if the program must not overwrite a Secret. The message states the remedy. It never
 * contains the Secret's data.
 */
final class UnusableSecretException extends Exception {

  private static final long serialVersionUID = 1L;

  UnusableSecretException(String message) {
    super(message);
  }
}
