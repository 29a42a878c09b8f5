// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

/**
 * Thrown for a request that an API server would not send. The caller receives the message and the
 * status 400.
 */
public final class MalformedRequestException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. The message must not quote the request. */
  public MalformedRequestException(String message) {
    super(message);
  }
}
