// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.util.Optional;

/** Decides who may read the pages of an endpoint. Called by several threads at the same time. */
@FunctionalInterface
public interface Gatekeeper {

  /** Lets everybody pass. */
  Gatekeeper NONE = (request, path) -> Optional.empty();

  /**
   * Whether a request may pass.
   *
   * @param path of the page, one of the few that there are
   * @return the refusal; empty if it may
   * @throws Exception if that can't be found out; then it may not
   */
  Optional<PageReply> refuse(PageRequest request, String path) throws Exception;
}
