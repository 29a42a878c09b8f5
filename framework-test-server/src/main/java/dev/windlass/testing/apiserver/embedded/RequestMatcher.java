// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/** Selects requests for faults. Called by the threads of the server. */
@FunctionalInterface
public interface RequestMatcher {

  /** Reports whether {@code request} is selected. */
  boolean matches(RecordedRequest request);

  /**
   * Returns a matcher for requests with this verb for this resource, such as {@code
   * deployments.apps}.
   */
  static RequestMatcher of(Verb verb, String resource) {
    return request -> request.verb() == verb && request.resource().equals(resource);
  }
}
