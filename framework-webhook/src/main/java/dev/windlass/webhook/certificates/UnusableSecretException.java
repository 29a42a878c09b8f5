// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

/**
 * Thrown for a Secret that this program must not overwrite. The message states the remedy, and
 * never quotes the content of the Secret.
 */
final class UnusableSecretException extends Exception {

  private static final long serialVersionUID = 1L;

  UnusableSecretException(String message) {
    super(message);
  }
}
