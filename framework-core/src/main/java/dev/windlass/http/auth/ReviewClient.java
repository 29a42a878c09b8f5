// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http.auth;

import java.io.IOException;
import java.util.Optional;

/**
 * The two requests to the API server. Each blocks until the response arrives. Called by several
 * threads.
 */
interface ReviewClient {

  /**
   * Returns the user a token belongs to.
   *
   * @return empty if the token is invalid
   * @throws IOException if there is no response
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  Optional<Caller> whose(String token) throws IOException, InterruptedException;

  /**
   * Reports whether the caller may {@code get} a non-resource path.
   *
   * @throws IOException if there is no response
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  boolean mayGet(Caller caller, String path) throws IOException, InterruptedException;
}
