// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import java.util.Optional;

/**
 * A request that an admission webhook allows or denies.
 *
 * @param uid the identifier of this request
 * @param operation the requested operation
 * @param resource the plural name of the type to which the webhook's rule applies. If the client's
 *     request uses another version of the type, the API server converts the objects to the rule's
 *     version
 * @param subresource the subresource, such as {@code status}; empty for the object itself
 * @param namespace the namespace; empty for a cluster-scoped type
 * @param name the object's name; empty if the API server generates the name
 * @param object the object as the API server would store it. For {@link Operation#DELETE}, this is
 *     the object to delete. For {@link Operation#CONNECT}, it contains the connection options. Each
 *     webhook receives a separate instance
 * @param oldObject the stored object, for {@link Operation#UPDATE} and {@link Operation#DELETE};
 *     empty for other operations, or if the stored object cannot be deserialised into the class
 * @param user the user who sent the request
 * @param dryRun whether the request is a dry run. The API server does not store the result of a dry
 *     run, and the webhook must not have side effects
 * @param <T> the objects' class
 */
public record AdmissionRequest<T>(
    String uid,
    Operation operation,
    String resource,
    String subresource,
    String namespace,
    String name,
    T object,
    Optional<T> oldObject,
    UserInfo user,
    boolean dryRun) {}
