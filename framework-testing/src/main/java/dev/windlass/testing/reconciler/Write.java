// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.testing.apiserver.embedded.TransportHook.Answer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.util.Locale;

/**
 * A write by the operator that the server has executed successfully.
 *
 * @param verb the request's verb. A server-side apply is a PATCH
 * @param created whether the write created the object
 * @param resource the plural and the group, such as {@code deployments.apps}; only the plural in
 *     the core group
 * @param namespace the namespace; empty for cluster-scoped resources
 * @param name the object's name, or the prefix followed by {@code *} if the server generated the
 *     name; empty for DELETECOLLECTION
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

  /** Returns a description such as {@code patch widgets.example.com/status default/first}. */
  @Override
  public String toString() {
    return verb.name().toLowerCase(Locale.ROOT) + " " + target();
  }
}
