// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

/**
 * A request for a resource that the server received, regardless of the response.
 *
 * @param resource the plural and the group, as in the name of a CRD, such as {@code
 *     deployments.apps}; for the core group, only the plural
 * @param namespace the namespace; empty for cluster-scoped resources and for all namespaces
 * @param name the name of the object; empty for requests for a collection, and for a create
 * @param subresource the subresource, such as {@code status}; empty for the object itself
 */
public record RecordedRequest(
    Verb verb, String resource, String namespace, String name, String subresource) {}
