// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.rbac;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/**
 * Determines, from the method and path of a request, the permission that the API server requires
 * for it.
 */
final class RequestPermission {

  private static final String FIELDS = "fieldSelector=";
  private static final String REVIEWS = "authorization.k8s.io";

  private RequestPermission() {}

  /**
   * Returns the permission that a request requires.
   *
   * @return the permission, or empty for requests that do not refer to an object, and for
   *     self-reviews, which every user can create
   */
  static Optional<Permission> of(String method, URI uri) {
    return RecordedRequest.of(method, uri)
        .flatMap(
            request -> of(request, request.name().isEmpty() ? selectedName(uri) : request.name()));
  }

  /**
   * Returns the name by which a list or watch selects a single object, or an empty string. If there
   * is such a name, the API server requires a permission only for that object.
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
