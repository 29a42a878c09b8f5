// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

/**
 * Responds to requests to one path. Several threads can call a handler at the same time, so a
 * handler must be thread-safe.
 */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Responds to one request.
   *
   * @param body the JSON that the API server has sent
   * @return the JSON of the response, which is sent with status 200
   * @throws MalformedRequestException if the path does not accept the body; the response then has
   *     the status 400
   * @throws Exception if the handler cannot respond; the server logs the exception, and the
   *     response has the status 500
   */
  byte[] handle(byte[] body) throws Exception;
}
