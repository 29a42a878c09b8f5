// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.util.Optional;

/**
 * Determines which requests can read the pages of an endpoint. Several threads can call an
 * authorizer concurrently.
 */
@FunctionalInterface
public interface RequestAuthorizer {

  /** An authorizer that admits every request. */
  RequestAuthorizer NONE = (request, path) -> Optional.empty();

  /**
   * Determines whether to admit a request.
   *
   * @param path the path of the page, which is one of a few fixed paths
   * @return the response that rejects the request, or empty if it is admitted
   * @throws Exception if no decision is possible, in which case the request is rejected
   */
  Optional<PageReply> refuse(PageRequest request, String path) throws Exception;
}
