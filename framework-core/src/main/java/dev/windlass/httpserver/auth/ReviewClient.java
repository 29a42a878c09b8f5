// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends TokenReviews and SubjectAccessReviews to the API server. Each method blocks until the
 * response arrives. Several threads can call the methods concurrently.
 */
interface ReviewClient {

  /** The user to whom a token belongs, as reported by the API server. Instances are immutable. */
  record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    public Caller {
      groups = List.copyOf(groups);
      extra = Map.copyOf(extra);
    }
  }

  /**
   * Returns the user to whom a token belongs.
   *
   * @return the user, or empty if the token is invalid
   * @throws IOException if there is no valid response
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  Optional<Caller> whose(String token) throws IOException, InterruptedException;

  /**
   * Returns whether a user is permitted to {@code get} a non-resource path.
   *
   * @throws IOException if there is no valid response
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  boolean mayGet(Caller caller, String path) throws IOException, InterruptedException;
}
