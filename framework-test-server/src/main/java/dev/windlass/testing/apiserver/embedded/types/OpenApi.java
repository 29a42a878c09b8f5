// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.List;
import java.util.Optional;

/**
 * Serves the part of the OpenAPI v3 documents that {@code kubectl apply} requires: that the server
 * validates fields. Otherwise, it sends no request. The documents contain no schemas and offer no
 * strategic merge patches, so kubectl uses its own types to compute these patches.
 */
public final class OpenApi {
  private static final String ROOT = "openapi";

  private final ResourceTypes types;

  public OpenApi(ResourceTypes types) {
    this.types = types;
  }

  /** Returns the document at a path below {@code /openapi/v3}, or empty if there is none. */
  public Optional<ObjectNode> document(List<String> path) {
    if (path.size() < 2 || !path.get(0).equals(ROOT) || !path.get(1).equals("v3")) {
      return Optional.empty();
    }
    List<String> rest = path.subList(2, path.size());
    return Optional.of(rest.isEmpty() ? index() : paths(String.join("/", rest)));
  }

  private ObjectNode index() {
    ObjectNode index = Json.object();
    ObjectNode paths = index.putObject("paths");
    types.all().stream()
        .map(OpenApi::root)
        .distinct()
        .forEach(
            root -> paths.putObject(root).put("serverRelativeURL", "/" + ROOT + "/v3/" + root));
    return index;
  }

  private static String root(ResourceType type) {
    return (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
  }

  private ObjectNode paths(String root) {
    ObjectNode document = Json.object().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Windlass embedded API server").put("version", "1.34");
    ObjectNode paths = document.putObject("paths");
    for (ResourceType type : types.all()) {
      if (root(type).equals(root)) {
        String scope = type.namespaced() ? "/namespaces/{namespace}/" : "/";
        describe(type, paths.putObject("/" + root + scope + type.plural() + "/{name}"));
      }
    }
    return document;
  }

  private static void describe(ResourceType type, ObjectNode path) {
    ObjectNode patch = path.putObject("patch");
    patch.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query");
    patch
        .putObject("x-kubernetes-group-version-kind")
        .put("group", type.group())
        .put("version", type.version())
        .put("kind", type.kind());
  }
}
