// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The validation rules for the content of ConfigMaps and Secrets. */
final class DataRules {
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final Pattern BASE64 = Pattern.compile("^[A-Za-z0-9+/]*={0,2}");
  private static final String KEY_RULE =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
          + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
          + " '[-._a-zA-Z0-9]+')";

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
      String text = value.asText("").replaceAll("[\\r\\n]", "");
      String valid = BASE64.matcher(text).replaceFirst("");
      int end = valid.isEmpty() ? text.length() - text.length() % 4 : text.indexOf(valid);
      if (!valid.isEmpty() || end < text.length()) {
        return Optional.of("illegal base64 data at input byte " + end);
      }
    }
    return Optional.empty();
  }

  static List<FieldError> ofConfigMap(ObjectNode map) {
    List<FieldError> errors = new ArrayList<>();
    keys(map, "data", errors);
    for (var entry : map.path("data").properties()) {
      if (map.path("binaryData").has(entry.getKey())) {
        errors.add(
            FieldError.invalid(
                "data[" + entry.getKey() + "]",
                FieldError.quoted(entry.getKey()),
                "duplicate of key present in binaryData"));
      }
    }
    keys(map, "binaryData", errors);
    return errors;
  }

  static List<FieldError> ofSecret(ObjectNode secret) {
    List<FieldError> errors = new ArrayList<>();
    keys(secret, "data", errors);
    JsonNode data = secret.path("data");
    switch (secret.path("type").asText()) {
      case "kubernetes.io/tls" -> {
        require(data, "tls.crt", errors);
        require(data, "tls.key", errors);
      }
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          require(data, "username", errors);
          require(data, "password", errors);
        }
      }
      case "kubernetes.io/ssh-auth" -> require(data, "ssh-privatekey", errors);
      case "kubernetes.io/dockerconfigjson" -> require(data, ".dockerconfigjson", errors);
      default -> {}
    }
    return errors;
  }

  private static void require(JsonNode data, String key, List<FieldError> errors) {
    if (!data.has(key)) {
      errors.add(FieldError.required("data[" + key + "]", ""));
    }
  }

  private static void keys(ObjectNode object, String field, List<FieldError> errors) {
    for (var entry : object.path(field).properties()) {
      if (!KEY.matcher(entry.getKey()).matches()) {
        String path = field + "[" + entry.getKey() + "]";
        errors.add(FieldError.invalid(path, FieldError.quoted(entry.getKey()), KEY_RULE));
      }
    }
  }
}
