// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import java.util.Map;

/**
 * A request for a resource.
 *
 * @param namespace empty for cluster-scoped resources and for all namespaces
 * @param name empty for collections
 * @param subresource empty for the object itself
 * @param parameters the query, the first value of each parameter
 */
record ApiRequest(
    Verb verb,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    Map<String, String> parameters) {

  ApiRequest {
    parameters = Map.copyOf(parameters);
  }

  ObjectKey key() {
    return new ObjectKey(namespace, name);
  }

  /** The value of a query parameter, empty if absent. */
  String parameter(String parameter) {
    return parameters.getOrDefault(parameter, "");
  }

  boolean flag(String parameter) {
    String value = parameter(parameter);
    return value.equals("true") || value.equals("1");
  }

  /** The value of a query parameter that is a number, 0 if absent. */
  long number(String parameter) {
    String value = parameter(parameter);
    try {
      return value.isEmpty() ? 0 : Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      throw StatusException.badRequest(
          "Invalid value for query parameter %s: \"%s\"".formatted(parameter, value));
    }
  }

  boolean dryRun() {
    return !parameter("dryRun").isEmpty();
  }

  RecordedRequest recorded() {
    return new RecordedRequest(verb, type.resource().toString(), namespace, name, subresource);
  }
}
