// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.util.Optional;

/**
 * Decides which requests may read the pages of an endpoint. Called by several threads at the same
 * time.
 */
@FunctionalInterface
public interface Gatekeeper {

  /** Admits every request. */
  Gatekeeper NONE = (request, path) -> Optional.empty();

  /**
   * Decides whether a request is admitted.
   *
   * @param path the path of the page, one of a fixed few
   * @return the response that rejects the request; empty if it is admitted
   * @throws Exception if the decision can't be made; the request is then rejected
   */
  Optional<PageReply> refuse(PageRequest request, String path) throws Exception;
}
