// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The validation rules for the content of ConfigMaps and Secrets. */
final class DataRules {
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final Pattern BASE64 =
      Pattern.compile("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
  private static final String KEY_RULE = "must consist of alphanumeric characters, '-', '_' or '.'";

  private DataRules() {}

  /**
   * Returns the error message for the first value that is not valid Base64, or empty if there is
   * none.
   */
  static Optional<String> decodingError(String kind, ObjectNode object) {
    boolean secret = kind.equals("Secret");
    if (!secret && !kind.equals("ConfigMap")) {
      return Optional.empty();
    }
    for (JsonNode value : object.path(secret ? "data" : "binaryData")) {
      if (!BASE64.matcher(value.asText("").replaceAll("[\\r\\n]", "")).matches()) {
        return Optional.of("a value is not valid Base64");
      }
    }
    return Optional.empty();
  }

  static void ofConfigMap(FieldChecks map) {
    keys(map, "data");
    keys(map, "binaryData");
    for (var entry : map.object().path("data").properties()) {
      if (map.object().path("binaryData").has(entry.getKey())) {
        String why = "duplicate of key present in binaryData";
        map.errors().add(FieldError.invalid("data[" + entry.getKey() + "]", entry.getKey(), why));
      }
    }
  }

  static void ofSecret(FieldChecks secret) {
    keys(secret, "data");
    JsonNode data = secret.object().path("data");
    List<String> required =
        switch (secret.text("type")) {
          case "kubernetes.io/tls" -> List.of("tls.crt", "tls.key");
          case "kubernetes.io/basic-auth" ->
              data.has("username") || data.has("password")
                  ? List.of()
                  : List.of("username", "password");
          case "kubernetes.io/ssh-auth" -> List.of("ssh-privatekey");
          case "kubernetes.io/dockerconfigjson" -> List.of(".dockerconfigjson");
          default -> List.of();
        };
    required.stream()
        .filter(key -> !data.has(key))
        .forEach(key -> secret.errors().add(FieldError.required("data[" + key + "]")));
  }

  private static void keys(FieldChecks object, String field) {
    for (var entry : object.object().path(field).properties()) {
      if (!KEY.matcher(entry.getKey()).matches()) {
        String path = field + "[" + entry.getKey() + "]";
        object.errors().add(FieldError.invalid(path, entry.getKey(), KEY_RULE));
      }
    }
  }

  /** Checks that an update does not change immutable fields of a ConfigMap or a Secret. */
  static void onUpdate(ObjectNode old, FieldChecks now) {
    if (now.text("kind").equals("Secret")) {
      now.immutable(old, "type");
    }
    if (old.path("immutable").asBoolean()) {
      String why = "field is immutable when `immutable` is set";
      now.forbid(!now.object().path("immutable").asBoolean(), "immutable", why);
      for (String field : List.of("data", "binaryData")) {
        now.forbid(!old.path(field).equals(now.object().path(field)), field, why);
      }
    }
  }
}
