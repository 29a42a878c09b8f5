// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/** Chooses requests, for faults. Called by the threads of the server. */
@FunctionalInterface
public interface RequestMatcher {

  /** Whether {@code request} is one of those meant. */
  boolean matches(RecordedRequest request);

  /** Requests with this verb for this resource, such as {@code deployments.apps}. */
  static RequestMatcher of(Verb verb, String resource) {
    return request -> request.verb() == verb && request.resource().equals(resource);
  }
}
