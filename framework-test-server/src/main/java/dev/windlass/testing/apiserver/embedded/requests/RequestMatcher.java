// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

/** Selects the requests that an injected fault affects. The server's threads call the matcher. */
@FunctionalInterface
public interface RequestMatcher {

  /** Returns whether {@code request} is selected. */
  boolean matches(RecordedRequest request);

  /**
   * Returns a matcher for requests with this verb for this resource, such as {@code
   * deployments.apps}.
   */
  static RequestMatcher of(Verb verb, String resource) {
    return request -> request.verb() == verb && request.resource().equals(resource);
  }
}
