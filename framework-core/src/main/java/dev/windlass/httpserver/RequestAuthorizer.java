// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import java.util.Optional;

/** Determines which requests can read an endpoint's pages. Implementations must be thread-safe. */
@FunctionalInterface
public interface RequestAuthorizer {

  /** An authorizer that admits every request. */
  RequestAuthorizer NONE = (request, path) -> Optional.empty();

  /**
   * Determines whether to admit a request.
   *
   * @param path the path at which the requested page is registered, such as {@code /metrics}
   * @return the response that rejects the request, or empty if the request is admitted
   * @throws Exception if no decision can be made; the endpoint then rejects the request
   */
  Optional<PageReply> refuse(PageRequest request, String path) throws Exception;
}
