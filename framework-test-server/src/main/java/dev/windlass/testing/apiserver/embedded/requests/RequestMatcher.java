// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

/**
 * Selects the requests that an injected fault affects. The server's threads call the matcher
 * concurrently.
 */
@FunctionalInterface
public interface RequestMatcher {

  /** Returns whether the fault affects {@code request}. */
  boolean matches(RecordedRequest request);

  /**
   * Returns a matcher that selects requests with the given verb for the given resource, such as
   * {@code deployments.apps}.
   */
  static RequestMatcher of(Verb verb, String resource) {
    return request -> request.verb() == verb && request.resource().equals(resource);
  }
}
