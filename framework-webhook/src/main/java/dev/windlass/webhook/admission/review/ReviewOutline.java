// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.json.JsonLimits;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Creates an outline of an {@code AdmissionReview} that exceeds the {@link JsonLimits}. The API
 * server does not have these limits.
 *
 * <p>The outline contains the fields that identify the request and its objects. It replaces every
 * other field of an object with a hash of the field's JSON. From these hashes, the program can
 * determine whether a field has changed. This class does not use recursion and does not store the
 * content that it skips.
 */
final class ReviewOutline implements AutoCloseable {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final byte[] body;
  private final JsonParser json;
  private final MessageDigest hash;

  private ReviewOutline(byte[] body) throws IOException {
    this.body = body;
    this.json = JsonLimits.ofSkippedValues().createParser(body);
    try {
      this.hash = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }

  /**
   * Creates the value of one field of the outline. The parser is at the first token of the original
   * value.
   */
  @FunctionalInterface
  private interface Value {
    JsonNode of(String field) throws IOException;
  }

  /**
   * Returns the outline of an {@code AdmissionReview}.
   *
   * @param body the JSON document in UTF-8
   * @throws IOException if the body is not JSON, or if it is nested more deeply than the API server
   *     allows
   */
  static JsonNode of(byte[] body) throws IOException {
    try (ReviewOutline outline = new ReviewOutline(body)) {
      outline.json.nextToken();
      JsonNode review = outline.object(outline::ofReview);
      if (outline.json.nextToken() != null) {
        throw new IOException("the body does not end after the review");
      }
      return review;
    }
  }

  private JsonNode object(Value value) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return scalar();
    }
    ObjectNode object = NODES.objectNode();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      object.set(field, value.of(field));
    }
    return object;
  }

  private JsonNode ofReview(String field) throws IOException {
    return field.equals("request") ? object(this::ofRequest) : scalar();
  }

  private JsonNode ofRequest(String field) throws IOException {
    return switch (field) {
      case "resource" -> object(ignored -> scalar());
      case "object", "oldObject" -> object(this::ofObject);
      default -> scalar();
    };
  }

  private JsonNode ofObject(String field) throws IOException {
    return field.equals("metadata") ? object(ignored -> scalar()) : hashed();
  }

  /**
   * Returns the current value if it is a string or Boolean. Otherwise, skips it and returns a JSON
   * null.
   */
  private JsonNode scalar() throws IOException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> NODES.textNode(json.getText());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> {
        json.skipChildren();
        yield NODES.nullNode();
      }
    };
  }

  private JsonNode hashed() throws IOException {
    int from = (int) json.currentTokenLocation().getByteOffset();
    json.skipChildren();
    json.finishToken();
    int to = (int) json.currentLocation().getByteOffset();
    hash.update(body, from, to - from);
    return NODES.textNode(HexFormat.of().formatHex(hash.digest()));
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
