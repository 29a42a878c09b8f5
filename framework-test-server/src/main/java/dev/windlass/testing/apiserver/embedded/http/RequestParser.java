// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Converts the method and the URL of an HTTP request into an {@link ApiRequest}. */
public final class RequestParser {
  /**
   * The subresources of a namespace. In a path, any other segment after a namespace's name is the
   * name of a resource in that namespace.
   */
  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  private final ResourceTypes types;

  public RequestParser(ResourceTypes types) {
    this.types = types;
  }

  /** Returns the decoded, non-empty segments of the path. */
  public static List<String> segments(URI uri) {
    List<String> segments = new ArrayList<>();
    for (String segment : uri.getRawPath().split("/", -1)) {
      if (!segment.isEmpty()) {
        // In a path, a plus sign is an ordinary character.
        segments.add(decode(segment.replace("+", "%2B")));
      }
    }
    return segments;
  }

  /** Parses a request for a resource. Returns empty if the path does not exist. */
  public Optional<ApiRequest> parse(String method, URI uri) {
    List<String> segments = segments(uri);
    boolean core = !segments.isEmpty() && segments.get(0).equals("api");
    int prefix = core ? 2 : 3;
    if (segments.size() <= prefix || !(core || segments.get(0).equals("apis"))) {
      return Optional.empty();
    }
    String group = core ? "" : segments.get(1);
    String version = segments.get(prefix - 1);
    List<String> rest = segments.subList(prefix, segments.size());
    String namespace = "";
    if (inNamespace(rest)) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    Optional<ResourceType> type = types.find(group, version, rest.get(0));
    boolean scopeFits = type.isPresent() && (namespace.isEmpty() || type.get().namespaced());
    boolean nameFits =
        rest.size() == 1 || !namespace.isEmpty() || (scopeFits && !type.get().namespaced());
    if (!scopeFits || !nameFits || rest.size() > 3) {
      return Optional.empty();
    }
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? rest.get(2) : "";
    Map<String, String> parameters = parameters(uri);
    Verb verb = verb(method, name, parameters);
    return Optional.of(new ApiRequest(verb, type.get(), namespace, name, subresource, parameters));
  }

  private static boolean inNamespace(List<String> rest) {
    return rest.size() > 2
        && rest.get(0).equals("namespaces")
        && !(rest.size() == 3 && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
  }

  private static Verb verb(String method, String name, Map<String, String> parameters) {
    boolean watch = ApiRequest.flag(parameters, "watch");
    boolean collection = name.isEmpty();
    return switch (method) {
      case "GET", "HEAD" -> watch ? Verb.WATCH : collection ? Verb.LIST : Verb.GET;
      case "POST" -> only(collection, Verb.CREATE);
      case "PUT" -> only(!collection, Verb.UPDATE);
      case "PATCH" -> only(!collection, Verb.PATCH);
      case "DELETE" -> collection ? Verb.DELETECOLLECTION : Verb.DELETE;
      default -> throw StatusException.methodNotAllowed();
    };
  }

  private static Verb only(boolean allowed, Verb verb) {
    if (!allowed) {
      throw StatusException.methodNotAllowed();
    }
    return verb;
  }

  private static Map<String, String> parameters(URI uri) {
    Map<String, String> parameters = new HashMap<>();
    String query = uri.getRawQuery();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.putIfAbsent(decode(name), decode(value));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
