// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import java.util.Optional;

/**
 * A request that a webhook admits or denies.
 *
 * @param uid the identifier of this request
 * @param operation the requested operation
 * @param resource the plural name of the type to which the webhook's rule applies. If the user has
 *     used another version of the type, the API server has converted the objects to the rule's
 *     version
 * @param subresource the subresource, such as {@code status}; empty for the object itself
 * @param namespace the namespace; empty for a cluster-scoped type
 * @param name the object's name; empty if the server is to generate the name
 * @param object the state that the request would store. For {@link Operation#DELETE}, this is the
 *     object to delete, and for {@link Operation#CONNECT} the connection options. Each webhook
 *     receives a separate instance
 * @param oldObject the stored state, for {@link Operation#UPDATE} and {@link Operation#DELETE}. It
 *     is empty if the stored state cannot be deserialised into the class
 * @param user the user who sent the request
 * @param dryRun whether the request is a dry run, in which nothing is stored and a webhook must not
 *     have side effects
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
