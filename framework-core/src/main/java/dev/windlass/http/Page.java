// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

/**
 * Produces the response for one path and the paths below it. Called by several threads at the same
 * time.
 */
@FunctionalInterface
public interface Page {

  /**
   * Answers a request. May block; when the request exceeds its time limit, the thread is
   * interrupted and the connection closed.
   *
   * @throws Exception on an unexpected failure; the client gets a 500 without details
   */
  PageReply answer(PageRequest request) throws Exception;
}
