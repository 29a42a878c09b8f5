// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

/**
 * Handles the requests to one path. A handler must be thread-safe, because several threads can call
 * it at the same time.
 */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Handles one request.
   *
   * @param body the JSON that the API server has sent
   * @return the JSON of the response, which is sent with the status 200
   * @throws MalformedRequestException if the path does not accept the body; the response then has
   *     the status 400
   * @throws Exception if the handler cannot respond; the server logs the exception, and the
   *     response has the status 500
   */
  byte[] handle(byte[] body) throws Exception;
}
