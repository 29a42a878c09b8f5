// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

/**
 * Thrown if a webhook does not return a usable response. The message is the one that the real
 * server's HTTP client would report.
 */
public final class WebhookCallException extends Exception {
  private static final long serialVersionUID = 1L;

  public WebhookCallException(String message) {
    super(message);
  }

  WebhookCallException(String message, Throwable cause) {
    super(message, cause);
  }
}
