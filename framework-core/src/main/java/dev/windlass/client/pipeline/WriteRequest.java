// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ParsedObject;
import dev.windlass.object.ResourceType;
import dev.windlass.object.patch.JsonPatchVersion;
import dev.windlass.rest.ApiRequest;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that can change objects on the server.
 *
 * @param method the HTTP method: {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
 * @param group the API group; empty for the core group
 * @param version the API version, such as {@code v1}
 * @param plural the plural name of the resource
 * @param namespace the namespace; empty for cluster-scoped objects and for requests to all
 *     namespaces
 * @param name the object's name; empty if the request creates an object or deletes a collection
 * @param subresource the subresource; empty for the object itself
 * @param dryRun whether the server processes the request without storing the result
 * @param body supplies the request body, or null if there is no body or the body is not text
 * @param writer the context of the writer, which is empty outside reconciles
 */
public record WriteRequest(
    String method,
    String group,
    String version,
    String plural,
    String namespace,
    String name,
    String subresource,
    boolean dryRun,
    Supplier<@Nullable String> body,
    Optional<WriterContext> writer) {

  private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");

  /** A list of dry-run stages in a DeleteOptions object that is not empty. */
  private static final Pattern DRY_RUN = Pattern.compile("\"dryRun\"\\s*:\\s*\\[\\s*\"");

  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  /**
   * The subresources of a Namespace. In a path, other elements that follow the name of a namespace
   * are resources in that namespace.
   */
  private static final Set<String> OF_NAMESPACES = Set.of("status", "finalize");

  /**
   * The subresources that open a connection to a Pod, Node or Service, or read a log. Requests to
   * them do not change objects.
   */
  private static final Set<String> STREAMS =
      Set.of("proxy", "exec", "attach", "portforward", "log");

  /**
   * The API groups of the review APIs. A POST request to them is a query, and does not change
   * objects.
   */
  private static final Set<String> REVIEWS =
      Set.of("authorization.k8s.io", "authentication.k8s.io");

  /**
   * Returns the write that a request of our own client performs. Returns empty if it is a read or a
   * review, or does not change objects.
   */
  static Optional<WriteRequest> of(ApiRequest request, Optional<WriterContext> writer) {
    ResourceType type = request.type();
    return changing(
        new WriteRequest(
            request.method(),
            type.group(),
            type.version(),
            type.plural(),
            request.namespace(),
            request.isCreation() ? "" : request.name(),
            request.subresource(),
            isDryRun(
                request.method(), request.body().orElse(null), String.join("&", request.query())),
            () -> request.body().orElse(null),
            writer));
  }

  /**
   * Returns the write that any other request performs, which is derived from its method and path.
   *
   * @param basePath the path in the server's URL, which ends with a slash
   */
  static Optional<WriteRequest> of(
      HttpRequest request, String basePath, Optional<WriterContext> writer) {
    String path = request.uri().getPath();
    if (!METHODS.contains(request.method()) || path == null || !path.startsWith(basePath)) {
      return Optional.empty();
    }
    List<String> steps = Arrays.asList(path.substring(basePath.length()).split("/"));
    boolean core = steps.get(0).equals("api");
    int version = core ? 1 : 2;
    if (!(core || steps.get(0).equals("apis")) || steps.size() < version + 2) {
      return Optional.empty();
    }
    List<String> rest = steps.subList(version + 1, steps.size());
    String namespace = "";
    if (rest.get(0).equals("namespaces")
        && rest.size() > 2
        && !OF_NAMESPACES.contains(rest.get(2))) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    return changing(
        new WriteRequest(
            request.method(),
            core ? "" : steps.get(1),
            steps.get(version),
            rest.get(0),
            namespace,
            rest.size() > 1 ? rest.get(1) : "",
            rest.size() > 2 ? rest.get(2) : "",
            isDryRun(request.method(), request.bodyString(), request.uri().getQuery()),
            request::bodyString,
            writer));
  }

  private static Optional<WriteRequest> changing(WriteRequest request) {
    boolean changes =
        METHODS.contains(request.method())
            && !REVIEWS.contains(request.group())
            && !STREAMS.contains(request.subresource());
    return changes ? Optional.of(request) : Optional.empty();
  }

  /** Returns whether a request is a dry run. If a DELETE has a body, the query has no effect. */
  private static boolean isDryRun(String method, @Nullable String body, @Nullable String query) {
    if (method.equals("DELETE") && body != null && !body.isEmpty()) {
      return DRY_RUN.matcher(body).find();
    }
    return query != null && query.contains("dryRun=");
  }

  /**
   * Returns the {@code metadata.resourceVersion} that is a precondition of the write: the server
   * accepts the write only if the stored object has this version. It is contained in the body or,
   * for a JSON patch, in a replace or test operation.
   *
   * @return the version, or -1 if the body does not contain a version, or if the version is not a
   *     number
   */
  public long precondition() {
    String text = body.get();
    if (text == null || !text.contains("resourceVersion")) {
      return -1;
    }
    if (text.startsWith("[")) {
      return number(JsonPatchVersion.of(text));
    }
    try {
      return ParsedObject.of(text.getBytes(StandardCharsets.UTF_8)).version();
    } catch (MalformedObjectException e) {
      return -1; // YAML
    }
  }

  static long number(Optional<String> text) {
    return text.filter(digits -> VERSION.matcher(digits).matches())
        .map(Long::parseLong)
        .orElse(-1L);
  }

  /** Returns a description of the request, such as {@code PUT deployments.apps/status shop/web}. */
  @Override
  public String toString() {
    return method
        + " "
        + plural
        + (group.isEmpty() ? "" : "." + group)
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + (namespace.isEmpty() ? " " : " " + namespace + "/")
        + name;
  }
}
