// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

import io.fabric8.kubernetes.api.model.HasMetadata;

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
   * {@code deployments.apps}, and for its subresources.
   */
  static RequestMatcher of(Verb verb, String resource) {
    return request -> request.verb() == verb && request.resource().equals(resource);
  }

  /**
   * Returns a matcher that selects requests with the given verb for the resource of the given
   * class, and for its subresources.
   */
  static RequestMatcher of(Verb verb, Class<? extends HasMetadata> type) {
    return of(verb, HasMetadata.getFullResourceName(type));
  }

  /**
   * Returns a matcher that selects requests with the given verb for a subresource.
   *
   * @param subresource the subresource, such as {@code status}; empty for the object itself
   */
  static RequestMatcher of(Verb verb, Class<? extends HasMetadata> type, String subresource) {
    RequestMatcher resource = of(verb, type);
    return request -> resource.matches(request) && request.subresource().equals(subresource);
  }
}
