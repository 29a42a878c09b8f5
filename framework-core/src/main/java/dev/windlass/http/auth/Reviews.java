// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http.auth;

import java.io.IOException;
import java.util.Optional;

/** The two questions to the API server. Each waits for the answer. Called by several threads. */
interface Reviews {

  /**
   * Whose token it is.
   *
   * @return empty if it is nobody's
   * @throws IOException if there is no answer
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  Optional<Caller> whose(String token) throws IOException, InterruptedException;

  /**
   * Whether the caller may {@code get} a path that belongs to no resource.
   *
   * @throws IOException if there is no answer
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  boolean mayGet(Caller caller, String path) throws IOException, InterruptedException;
}
