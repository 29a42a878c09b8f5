// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.OneLine;
import dev.windlass.object.ResourceType;
import dev.windlass.trouble.Access;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One request about objects of a type, before it becomes HTTP.
 *
 * @param verb what it does, for messages
 * @param method of HTTP
 * @param type whose objects it is about
 * @param namespace empty for all namespaces, or none
 * @param name empty for the whole collection, or for an object whose name the server makes
 * @param subresource empty for the object itself
 * @param query parameters, encoded
 * @param contentType of the body
 * @param body empty for none
 */
record ApiRequest(
    String verb,
    String method,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    List<String> query,
    String contentType,
    Optional<String> body) {

  static final String JSON = "application/json";

  /**
   * Refuses names that lead elsewhere than to an object: what stands between us and the server may
   * resolve them as a path, encoded or not.
   */
  ApiRequest {
    if (!namespace.matches("[-a-z0-9]{0,63}")) {
      throw new IllegalArgumentException(
          "'" + OneLine.of(namespace, 64) + "' can't be the name of a namespace");
    }
    if (name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(name, 256)
              + "' can't be the name of an object: no name is . or .., or has a / or a % in it");
    }
  }

  /** A request without parameters and body. */
  static ApiRequest of(
      String verb, String method, ResourceType type, String namespace, String name) {
    return new ApiRequest(
        verb, method, type, namespace, name, "", List.of(), JSON, Optional.empty());
  }

  ApiRequest subresource(String other) {
    return new ApiRequest(verb, method, type, namespace, name, other, query, contentType, body);
  }

  /** One more parameter, unless it is empty. */
  ApiRequest with(String parameter, String value) {
    if (value.isEmpty()) {
      return this;
    }
    List<String> longer = new ArrayList<>(query);
    longer.add(parameter + "=" + encode(value));
    return new ApiRequest(
        verb, method, type, namespace, name, subresource, longer, contentType, body);
  }

  ApiRequest body(String otherType, String text) {
    return new ApiRequest(
        verb, method, type, namespace, name, subresource, query, otherType, Optional.of(text));
  }

  /** Below the address of the server, parameters included. */
  String path() {
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

  /** Of an object: it is not at its own path before. */
  private boolean isCreation() {
    return method.equals("POST") && subresource.isEmpty();
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The right that it needs. */
  Access access() {
    String right =
        switch (method) {
          case "POST" -> "create";
          case "PUT" -> "update";
          case "PATCH" -> "patch";
          case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
          default -> name.isEmpty() ? "list" : "get";
        };
    String what = type.plural() + (subresource.isEmpty() ? "" : "/" + subresource);
    return new Access(List.of(right), what, type.group(), type.namespaced() ? namespace : "");
  }

  /** Such as {@code update deployments.apps shop/web}. */
  @Override
  public String toString() {
    String what = type.resource() + (subresource.isEmpty() ? "" : "/" + subresource);
    if (name.isEmpty()) {
      return verb + " " + what + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
    return verb + " " + what + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
