// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.rbac;

import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Determines, from the method and path of a request, the permission that the API server requires
 * for it.
 */
final class RequestPermission {

  private static final String REVIEWS = "authorization.k8s.io";

  private RequestPermission() {}

  /**
   * Returns the permission that a request requires.
   *
   * @return the permission, or empty for requests that do not refer to an object, and for
   *     self-reviews, which every user can create
   */
  static Optional<Permission> of(String method, URI uri) {
    String path = uri.getPath() == null ? "" : uri.getPath();
    List<String> steps = Arrays.stream(path.split("/")).filter(step -> !step.isEmpty()).toList();
    int root = Math.max(steps.indexOf("api"), steps.indexOf("apis"));
    if (root < 0) {
      return Optional.empty();
    }
    boolean core = steps.get(root).equals("api");
    int below = root + (core ? 2 : 3);
    if (steps.size() <= below) {
      return Optional.empty(); // a discovery request
    }
    String group = core ? "" : steps.get(root + 1);
    List<String> rest = steps.subList(below, steps.size());
    String namespace = "";
    boolean inNamespace =
        rest.get(0).equals("namespaces")
            && rest.size() > 2
            && !List.of("status", "finalize").contains(rest.get(2));
    if (inNamespace) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    String resource = rest.get(0) + (rest.size() > 2 ? "/" + rest.get(2) : "");
    if (group.equals(REVIEWS) && resource.startsWith("selfsubject")) {
      return Optional.empty();
    }
    String name = rest.size() > 1 ? rest.get(1) : "";
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    Verb verb = verb(method, name.isEmpty(), query);
    return Optional.of(new Permission(namespace, group, resource, name, verb));
  }

  private static Verb verb(String method, boolean collection, String query) {
    return switch (method) {
      case "POST" -> Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> collection ? Verb.DELETECOLLECTION : Verb.DELETE;
      default -> collection ? reading(query) : Verb.GET;
    };
  }

  private static Verb reading(String query) {
    return Arrays.stream(query.split("&")).anyMatch(p -> p.matches("watch=(true|1)"))
        ? Verb.WATCH
        : Verb.LIST;
  }
}
