// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rest;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ResourceType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request to the API server for an object or a collection of objects. {@link #path()} returns the
 * path of the corresponding HTTP request.
 *
 * @param verb the operation, for messages
 * @param method the HTTP method
 * @param type the objects' type
 * @param namespace the namespace; empty for all namespaces and for cluster-scoped objects
 * @param name the object's name; empty if the request addresses the whole collection or the server
 *     generates the name
 * @param subresource the subresource; empty for the object itself
 * @param query the encoded query parameters
 * @param contentType the content type of the body
 * @param body the body; empty if there is none
 */
public record ApiRequest(
    String verb,
    String method,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    List<String> query,
    String contentType,
    Optional<String> body) {

  public static final String JSON = "application/json";

  private static final Pattern NAMESPACE = Pattern.compile("[-a-z0-9]{0,63}");

  /**
   * Creates a request.
   *
   * @throws IllegalArgumentException if the namespace or the name contains characters that could
   *     direct the request to a different resource. A proxy between the client and the server might
   *     interpret such a name as a path, even if the name is encoded
   */
  public ApiRequest {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "'" + OneLine.of(namespace, 64) + "' can't be the name of a namespace");
    }
    if (name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(name, 256)
              + "' can't be the name of an object: it must not be '.' or '..', or contain"
              + " '/' or '%'");
    }
  }

  public static ApiRequest of(
      String verb, String method, ResourceType type, String namespace, String name) {
    return new ApiRequest(
        verb, method, type, namespace, name, "", List.of(), JSON, Optional.empty());
  }

  public ApiRequest subresource(String other) {
    return new ApiRequest(verb, method, type, namespace, name, other, query, contentType, body);
  }

  /**
   * Returns a copy of this request with an additional query parameter. If the value is empty,
   * returns this request unchanged.
   */
  public ApiRequest with(String parameter, String value) {
    if (value.isEmpty()) {
      return this;
    }
    List<String> longer = new ArrayList<>(query);
    longer.add(parameter + "=" + encode(value));
    return new ApiRequest(
        verb, method, type, namespace, name, subresource, longer, contentType, body);
  }

  public ApiRequest body(String otherType, String text) {
    return new ApiRequest(
        verb, method, type, namespace, name, subresource, query, otherType, Optional.of(text));
  }

  /** Returns the path, including the query parameters, relative to the server's address. */
  public String path() {
    StringBuilder path = new StringBuilder(type.path(namespace));
    if (!name.isEmpty() && !isCreation()) {
      path.append('/').append(encode(name));
    }
    if (!subresource.isEmpty()) {
      path.append('/').append(encode(subresource));
    }
    if (!query.isEmpty()) {
      path.append('?').append(String.join("&", query));
    }
    return path.toString();
  }

  /**
   * Returns whether this request creates an object. If so, the path does not contain the object's
   * name.
   */
  public boolean isCreation() {
    return method.equals("POST") && subresource.isEmpty();
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public RequiredPermission access() {
    List<String> verbs =
        switch (method) {
          case "POST" -> List.of("create");
          case "PUT" -> List.of("update");
          case "PATCH" -> verb.equals("create") ? List.of("create", "patch") : List.of("patch");
          case "DELETE" -> List.of(name.isEmpty() ? "deletecollection" : "delete");
          default -> List.of(name.isEmpty() ? "list" : "get");
        };
    String what = type.plural() + (subresource.isEmpty() ? "" : "/" + subresource);
    return new RequiredPermission(verbs, what, type.group(), type.namespaced() ? namespace : "");
  }

  /** Returns a description of this request, such as {@code update deployments.apps shop/web}. */
  @Override
  public String toString() {
    String what = type.resource() + (subresource.isEmpty() ? "" : "/" + subresource);
    if (name.isEmpty()) {
      return verb + " " + what + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
    return verb + " " + what + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
