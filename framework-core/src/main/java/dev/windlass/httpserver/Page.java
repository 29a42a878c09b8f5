// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

/**
 * Produces the responses for one path and the paths below it. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface Page {

  /**
   * Returns the response to a request. This method can block, but if it exceeds the request's time
   * limit, the endpoint interrupts the thread and closes the connection.
   *
   * @throws Exception if an unexpected failure occurs. The client receives a response with the
   *     status 500 and without details
   */
  PageReply answer(PageRequest request) throws Exception;
}
