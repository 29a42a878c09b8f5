// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.rbac;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/** Determines the permission that the API server requires for a request. */
final class RequestPermission {

  private static final String FIELDS = "fieldSelector=";
  private static final String REVIEWS = "authorization.k8s.io";

  private RequestPermission() {}

  /**
   * Returns the permission that a request requires.
   *
   * @return the permission, or empty if the request does not refer to API objects or creates a
   *     self-review, which every user may do
   */
  static Optional<Permission> of(String method, URI uri) {
    return RecordedRequest.of(method, uri)
        .flatMap(
            request -> of(request, request.name().isEmpty() ? selectedName(uri) : request.name()));
  }

  /**
   * Returns the object name that the field selector of a list or watch specifies, or an empty
   * string if there is none. If there is a name, a permission for this object is sufficient.
   */
  private static String selectedName(URI uri) {
    for (String parameter : Objects.requireNonNullElse(uri.getQuery(), "").split("&", -1)) {
      if (parameter.startsWith(FIELDS)) {
        return WatchScope.ALL
            .withFields(parameter.substring(FIELDS.length()))
            .objectName()
            .orElse("");
      }
    }
    return "";
  }

  private static Optional<Permission> of(RecordedRequest request, String name) {
    int dot = request.resource().indexOf('.');
    String group = dot < 0 ? "" : request.resource().substring(dot + 1);
    String plural = dot < 0 ? request.resource() : request.resource().substring(0, dot);
    if (group.equals(REVIEWS) && plural.startsWith("selfsubject")) {
      return Optional.empty();
    }
    String resource = plural + (request.subresource().isEmpty() ? "" : "/" + request.subresource());
    return Optional.of(
        new Permission(
            request.namespace(), group, resource, name, Verb.valueOf(request.verb().name())));
  }
}
