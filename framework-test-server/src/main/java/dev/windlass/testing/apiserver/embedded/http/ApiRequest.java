// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request for the objects of a resource, parsed from the method and the URL of an HTTP request.
 *
 * @param verb the verb, derived from the method and the URL
 * @param type the type of the objects
 * @param namespace the namespace; empty for cluster-scoped resources and for all namespaces
 * @param name the object's name; empty for collections
 * @param subresource the subresource; empty for the object itself
 * @param parameters the query parameters; if the URL repeats a parameter, this map contains the
 *     first value
 */
public record ApiRequest(
    Verb verb,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    Map<String, String> parameters) {

  public ApiRequest {
    parameters = Map.copyOf(parameters);
  }

  public ObjectKey key() {
    return new ObjectKey(namespace, name);
  }

  /** Returns the value of a query parameter, or an empty string if the parameter is absent. */
  public String parameter(String parameter) {
    return parameters.getOrDefault(parameter, "");
  }

  public boolean has(String parameter) {
    return parameters.containsKey(parameter);
  }

  public boolean flag(String parameter) {
    return flag(parameters, parameter);
  }

  /**
   * Returns whether a boolean query parameter is set. As in the real server, it is set if it is
   * present and its value is neither {@code false} nor {@code 0}.
   */
  static boolean flag(Map<String, String> parameters, String parameter) {
    String value = parameters.getOrDefault(parameter, "false");
    return !value.equalsIgnoreCase("false") && !value.equals("0");
  }

  /** Returns the value of a numeric query parameter, or 0 if it is absent or negative. */
  public long number(String parameter) {
    String value = parameter(parameter);
    try {
      return value.isEmpty() ? 0 : Math.max(0, Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw StatusException.badRequest("'" + value + "' is not a number");
    }
  }

  /** Returns the value of the {@code resourceVersion} parameter, or 0 if it is absent. */
  public long revision() {
    String value = parameter("resourceVersion");
    try {
      long revision = value.isEmpty() ? 0 : Long.parseUnsignedLong(value);
      return revision < 0 ? Long.MAX_VALUE : revision;
    } catch (NumberFormatException e) {
      String why = "the resourceVersion '" + value + "' is not a number";
      throw verb == Verb.LIST ? StatusException.badRequest(why) : StatusException.of(500, "", why);
    }
  }

  /**
   * Returns whether the {@code resourceVersion} parameter is absent or 0. If it is, the request
   * does not require a minimum resourceVersion.
   */
  public boolean isFromAnywhere() {
    String value = parameter("resourceVersion");
    return value.isEmpty() || value.equals("0");
  }

  /**
   * Returns an error if the value of the {@code dryRun} parameter is not supported, or empty
   * otherwise.
   */
  public Optional<FieldError> dryRunError() {
    return dryRunError(parameter("dryRun"));
  }

  static Optional<FieldError> dryRunError(String value) {
    return value.isEmpty() || value.equals("All")
        ? Optional.empty()
        : Optional.of(FieldError.unsupported("dryRun", value, List.of("All")));
  }

  public boolean dryRun() {
    return !parameter("dryRun").isEmpty();
  }

  public RecordedRequest recorded() {
    return new RecordedRequest(verb, type.resource().toString(), namespace, name, subresource);
  }
}
