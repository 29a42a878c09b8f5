// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.testing.apiserver.embedded.TransportHook.Answer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.util.Locale;

/**
 * A successful write by the operator.
 *
 * @param verb the request's verb; {@link Verb#PATCH} for a server-side apply
 * @param created whether the write created the object
 * @param resource the plural name and the API group, such as {@code deployments.apps}; without the
 *     group for resources of the core group
 * @param namespace the namespace; empty for cluster-scoped resources
 * @param name the object's name. If the server generated the name, this is the prefix followed by
 *     {@code *}. Empty for DELETECOLLECTION
 * @param subresource the subresource, such as {@code status}; empty for the object itself
 */
public record Write(
    Verb verb,
    boolean created,
    String resource,
    String namespace,
    String name,
    String subresource) {

  private static final int CREATED = 201;

  static Write of(RecordedRequest request, Answer answer) {
    String name =
        answer.generateName().isEmpty()
            ? (request.name().isEmpty() ? answer.name() : request.name())
            : answer.generateName() + "*";
    return new Write(
        request.verb(),
        answer.code() == CREATED && request.subresource().isEmpty(),
        request.resource(),
        request.namespace(),
        request.verb() == Verb.DELETECOLLECTION ? "" : name,
        request.subresource());
  }

  /**
   * Returns the resource and name of the object, without the verb, such as {@code configmaps
   * default/first}.
   */
  String target() {
    String object = namespace.isEmpty() ? name : namespace + "/" + name;
    return (resource + (subresource.isEmpty() ? "" : "/" + subresource) + " " + object).strip();
  }

  /**
   * Returns a description such as {@code patch widgets.example.com/status default/first}. The verb
   * is {@code create} if the write created the object, also for a server-side apply.
   */
  @Override
  public String toString() {
    return (created ? Verb.CREATE : verb).name().toLowerCase(Locale.ROOT) + " " + target();
  }
}
