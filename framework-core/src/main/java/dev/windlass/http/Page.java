// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

/** What can be read at one path, and below it. Called by several threads at the same time. */
@FunctionalInterface
public interface Page {

  /**
   * Answers a request. It may wait; when the time of the request is up, the thread is interrupted
   * and the connection closed.
   *
   * @throws Exception what nobody expected; the client gets a 500 without details
   */
  PageReply answer(PageRequest request) throws Exception;
}
