// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Matches requests against the rules of roles, as in Kubernetes's {@code evaluation_helpers.go}.
 */
final class RbacRules {
  private static final String ANY = "*";

  private RbacRules() {}

  static boolean allows(JsonNode rule, AccessRequest request) {
    if (!contains(rule.path("verbs"), request.verb())) {
      return false;
    }
    return request.isForResource()
        ? contains(rule.path("apiGroups"), request.group())
            && matchesResource(rule.path("resources"), request)
            && matchesName(rule.path("resourceNames"), request.name())
        : matchesPath(rule.path("nonResourceURLs"), request.path());
  }

  private static boolean contains(JsonNode list, String value) {
    for (JsonNode item : list) {
      if (item.asText().equals(ANY) || item.asText().equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesResource(JsonNode resources, AccessRequest request) {
    return contains(resources, request.combined())
        || (!request.subresource().isEmpty() && contains(resources, "*/" + request.subresource()));
  }

  private static boolean matchesName(JsonNode names, String name) {
    if (names.isEmpty()) {
      return true;
    }
    for (JsonNode candidate : names) {
      if (candidate.asText().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesPath(JsonNode paths, String path) {
    for (JsonNode candidate : paths) {
      String pattern = candidate.asText();
      boolean prefix =
          pattern.endsWith(ANY) && path.startsWith(pattern.substring(0, pattern.length() - 1));
      if (prefix || pattern.equals(path)) {
        return true;
      }
    }
    return false;
  }
}
