// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.requests;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A resource request that the server received, even if the request failed.
 *
 * @param verb the verb, as in the audit log
 * @param resource the resource's plural name and group, such as {@code deployments.apps}; only the
 *     plural name in the core group
 * @param namespace the namespace; empty for a cluster-scoped resource and for all namespaces
 * @param name the object's name; empty for a create and for a request for a collection
 * @param subresource the subresource, such as {@code status}; empty for the object itself
 */
public record RecordedRequest(
    Verb verb, String resource, String namespace, String name, String subresource) {

  /**
   * The subresources of a namespace. In a path, any other segment after a namespace's name is the
   * name of a resource in that namespace.
   */
  private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

  /**
   * Returns the resource request with the given method and URI. This method does not check whether
   * a server has the resource. The result is empty for other requests, such as discovery requests.
   */
  public static Optional<RecordedRequest> of(String method, URI uri) {
    String path = uri.getPath() == null ? "" : uri.getPath();
    List<String> steps =
        Arrays.stream(path.split("/", -1)).filter(step -> !step.isEmpty()).toList();
    int root = Math.max(steps.indexOf("api"), steps.indexOf("apis"));
    boolean core = root >= 0 && steps.get(root).equals("api");
    int below = root + (core ? 2 : 3);
    if (root < 0 || steps.size() <= below) {
      return Optional.empty();
    }
    String group = core ? "" : "." + steps.get(root + 1);
    List<String> rest = steps.subList(below, steps.size());
    String namespace = "";
    if (rest.size() > 2
        && rest.get(0).equals("namespaces")
        && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? rest.get(2) : "";
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    Verb verb = verb(method, name.isEmpty(), query);
    return Optional.of(
        new RecordedRequest(verb, rest.get(0) + group, namespace, name, subresource));
  }

  /** Returns a description such as {@code update widgets.example.com/status default/first}. */
  @Override
  public String toString() {
    String target = resource + (subresource.isEmpty() ? "" : "/" + subresource);
    String object = namespace + (namespace.isEmpty() || name.isEmpty() ? "" : "/") + name;
    return "%s %s %s".formatted(verb.name().toLowerCase(Locale.ROOT), target, object).strip();
  }

  private static Verb verb(String method, boolean collection, String query) {
    return switch (method) {
      case "POST" -> Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> collection ? Verb.DELETECOLLECTION : Verb.DELETE;
      default -> isWatch(query) ? Verb.WATCH : collection ? Verb.LIST : Verb.GET;
    };
  }

  private static boolean isWatch(String query) {
    return Arrays.stream(query.split("&", -1)).anyMatch(p -> p.matches("watch=(true|1)"));
  }
}
