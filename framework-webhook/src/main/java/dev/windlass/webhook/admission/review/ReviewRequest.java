// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.UserInfo;
import dev.windlass.webhook.server.MalformedRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The request in an {@code AdmissionReview}, before its objects are decoded.
 *
 * @param tree the JSON of the field {@code request}
 */
record ReviewRequest(ObjectNode tree) {

  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  private static final String EXCESSIVE =
      "an object is nested in more than 1,000 levels, or has a number or a name that is too long";

  private static final int LONGEST_UID = 128;

  /**
   * Parses the body of a request.
   *
   * @throws MalformedRequestException if the body is not an {@code AdmissionReview}, or if the rule
   *     does not apply to its request
   */
  static ReviewRequest parse(byte[] body, AdmissionRule<?> rule) throws MalformedRequestException {
    JsonNode review;
    try {
      review = ObjectCodec.parse(body, JsonNode.class);
    } catch (StreamConstraintsException e) {
      throw new MalformedRequestException(EXCESSIVE);
    } catch (IOException e) {
      throw new MalformedRequestException("the body is not JSON");
    }
    if (!review.path("kind").asText().equals(KIND)
        || !review.path("apiVersion").asText().equals(API_VERSION)) {
      throw new MalformedRequestException("the body is not an AdmissionReview of " + API_VERSION);
    }
    if (!(review.get("request") instanceof ObjectNode tree)) {
      throw new MalformedRequestException("the AdmissionReview has no request");
    }
    ReviewRequest request = new ReviewRequest(tree);
    request.check(rule);
    return request;
  }

  private void check(AdmissionRule<?> rule) throws MalformedRequestException {
    if (uid().isBlank() || uid().length() > LONGEST_UID) {
      throw new MalformedRequestException("the request has no uid");
    }
    String operation = tree.path("operation").asText();
    if (Arrays.stream(Operation.values()).noneMatch(known -> known.name().equals(operation))) {
      throw new MalformedRequestException("the request has no known operation");
    }
    ResourceType type = rule.type();
    JsonNode resource = tree.path("resource");
    if (!resource.path("group").asText().equals(type.group())
        || !resource.path("version").asText().equals(type.version())
        || !resource.path("resource").asText().equals(type.plural())
        || !rule.matchesSubresource(subresource())) {
      throw new MalformedRequestException(
          "this webhook is for "
              + rule
              + " only; the rules in the webhook configuration send it other requests");
    }
    if (current().isEmpty()) {
      throw new MalformedRequestException("the request has no object");
    }
  }

  private String text(String field) {
    return tree.path(field).asText("");
  }

  String uid() {
    return text("uid");
  }

  Operation operation() {
    return Operation.valueOf(text("operation"));
  }

  /**
   * Returns the name of the object, or an empty string if the API server has not generated it yet.
   * When a collection is deleted, the request does not contain the name, and this method reads it
   * from the object.
   */
  String name() {
    String name = text("name");
    return name.isEmpty() && operation() != Operation.CONNECT
        ? current().map(object -> object.path("metadata").path("name").asText("")).orElse("")
        : name;
  }

  String subresource() {
    return text("subResource");
  }

  String namespace() {
    return text("namespace");
  }

  boolean dryRun() {
    return tree.path("dryRun").asBoolean(false);
  }

  /** Returns the object that the request would store or delete. */
  Optional<ObjectNode> current() {
    return object(operation() == Operation.DELETE ? "oldObject" : "object");
  }

  /** Returns the object as it is stored before the request, or empty if there is none. */
  Optional<ObjectNode> stored() {
    return object("oldObject");
  }

  private Optional<ObjectNode> object(String field) {
    return tree.get(field) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }

  /** Returns whether the request changes any field other than the metadata and the status. */
  boolean changesContent() {
    return !current().map(ReviewRequest::content).equals(stored().map(ReviewRequest::content));
  }

  private static ObjectNode content(ObjectNode object) {
    ObjectNode content = object.objectNode();
    content.setAll(object);
    content.remove(List.of("metadata", "status", "apiVersion", "kind"));
    return content;
  }

  UserInfo user() {
    JsonNode user = tree.path("userInfo");
    Map<String, List<String>> extra = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : user.path("extra").properties()) {
      extra.put(entry.getKey(), strings(entry.getValue()));
    }
    return new UserInfo(
        user.path("username").asText(""),
        user.path("uid").asText(""),
        strings(user.path("groups")),
        extra);
  }

  private static List<String> strings(JsonNode array) {
    List<String> all = new ArrayList<>();
    array.forEach(element -> all.add(element.asText()));
    return all;
  }
}
