// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;

/** Sets the missing fields of one JSON object. As in Go, an empty string is a missing value. */
record Defaults(ObjectNode object) {

  Defaults put(String field, String value) {
    return set(field, object.textNode(value));
  }

  Defaults put(String field, int value) {
    return set(field, object.numberNode(value));
  }

  Defaults put(String field, boolean value) {
    return set(field, object.booleanNode(value));
  }

  Defaults set(String field, JsonNode value) {
    if (BuiltInValues.isMissing(object.path(field))) {
      object.set(field, value);
    }
    return this;
  }

  /** Returns the defaults of a nested object, which this method creates if it does not exist. */
  Defaults in(String field) {
    return new Defaults(object.withObject("/" + field));
  }

  /** Adds an empty object if the given field is the only one. */
  void putIfOnly(String only, String field) {
    if (object.size() == 1 && object.has(only)) {
      object.putObject(field);
    }
  }

  void dropEmptyText(String field) {
    if (object.path(field).isTextual() && text(field).isEmpty()) {
      object.remove(field);
    }
  }

  boolean has(String field) {
    return object.has(field);
  }

  String text(String field) {
    return object.path(field).asText();
  }
}
