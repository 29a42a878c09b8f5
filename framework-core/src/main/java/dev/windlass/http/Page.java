// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

/**
 * Produces the responses for one path and the paths below it. Several threads can call a page
 * concurrently.
 */
@FunctionalInterface
public interface Page {

  /**
   * Returns the response to a request. This method can block. If the request exceeds its time
   * limit, the thread is interrupted and the connection is closed.
   *
   * @throws Exception if an unexpected failure occurs. The client receives a 500 without details
   */
  PageReply answer(PageRequest request) throws Exception;
}
