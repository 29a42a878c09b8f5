// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.protobuf.ProtobufBody;
import dev.windlass.testing.apiserver.embedded.types.ReviewType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Responds to access reviews, SelfSubjectReviews, TokenReviews and TokenRequests. */
public final class AccessReviews {
  private final Users users;
  private final Authorizer authorizer;
  private final ServiceAccountTokens tokens;

  public AccessReviews(Users users, Authorizer authorizer, ServiceAccountTokens tokens) {
    this.users = users;
    this.authorizer = authorizer;
    this.tokens = tokens;
  }

  /**
   * Returns the response to a request that creates a review or a token. Returns empty for other
   * paths.
   *
   * @throws StatusException if the request is rejected
   */
  public Optional<ObjectNode> answer(String method, List<String> path, UserInfo user, byte[] body) {
    Optional<ReviewType> type = ReviewType.at(path);
    if (type.isPresent()) {
      if (!method.equals("POST")) {
        throw StatusException.methodNotAllowed();
      }
      String namespace = type.get().namespaced() ? path.get(4) : "";
      require(
          user,
          new AccessRequest(
              "create", type.get().group(), type.get().plural(), "", namespace, "", ""));
      return Optional.of(review(type.get(), user, ProtobufBody.parseOrJson(body)));
    }
    if (method.equals("POST") && ServiceAccountTokens.isAt(path)) {
      require(
          user,
          new AccessRequest(
              "create", "", "serviceaccounts", "token", path.get(3), path.get(5), ""));
      return Optional.of(tokens.issue(path.get(3), path.get(5), ProtobufBody.parseOrJson(body)));
    }
    return Optional.empty();
  }

  /**
   * Checks whether a user may send a request.
   *
   * @throws StatusException 403 if the user may not send the request
   */
  public void require(UserInfo user, AccessRequest request) {
    if (!authorizer.decide(user, request).allowed()) {
      throw request.refusal(user);
    }
  }

  private ObjectNode review(ReviewType type, UserInfo user, ObjectNode body) {
    ObjectNode answer = Json.object().put("kind", type.kind());
    answer.put("apiVersion", type.group() + "/" + ReviewType.VERSION);
    ObjectNode metadata = answer.putObject("metadata");
    metadata.putNull("creationTimestamp");
    JsonNode spec = body.path("spec");
    if (type != ReviewType.SELF_SUBJECT_REVIEW) {
      answer.set("spec", spec.isObject() ? spec : Json.object());
    }
    answer.set(
        "status",
        switch (type) {
          case SELF_SUBJECT_REVIEW -> userStatus(user);
          case TOKEN_REVIEW -> tokenStatus(spec);
          case SELF_SUBJECT_RULES_REVIEW -> rulesStatus(user, spec.path("namespace").asText(""));
          case SELF_SUBJECT_ACCESS_REVIEW -> accessStatus(type, user, spec);
          case SUBJECT_ACCESS_REVIEW, LOCAL_SUBJECT_ACCESS_REVIEW ->
              accessStatus(type, subject(spec), spec);
        });
    return answer;
  }

  private static ObjectNode userStatus(UserInfo user) {
    ObjectNode status = Json.object();
    status.set("userInfo", user.json());
    return status;
  }

  private ObjectNode tokenStatus(JsonNode spec) {
    Optional<UserInfo> user = users.user(spec.path("token").asText(""));
    ObjectNode status = Json.object();
    if (user.isPresent()) {
      status.put("authenticated", true).set("user", user.get().json());
      status.putArray("audiences").add(ServiceAccountTokens.AUDIENCE);
    } else {
      status.putObject("user");
      status.put("error", "invalid bearer token");
    }
    return status;
  }

  private ObjectNode rulesStatus(UserInfo user, String namespace) {
    ObjectNode status = Json.object();
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode paths = status.putArray("nonResourceRules");
    for (JsonNode rule : authorizer.rules(user, namespace)) {
      if (!rule.path("resources").isEmpty()) {
        resources.add(part(rule, "verbs", "apiGroups", "resources", "resourceNames"));
      }
      if (!rule.path("nonResourceURLs").isEmpty()) {
        paths.add(part(rule, "verbs", "nonResourceURLs"));
      }
    }
    return status.put("incomplete", false);
  }

  private static ObjectNode part(JsonNode rule, String... fields) {
    ObjectNode part = Json.object();
    for (String field : fields) {
      if (!rule.path(field).isEmpty()) {
        part.set(field, rule.path(field));
      }
    }
    return part;
  }

  private static UserInfo subject(JsonNode spec) {
    List<String> groups = new ArrayList<>();
    spec.path("groups").forEach(group -> groups.add(group.asText()));
    return new UserInfo(spec.path("user").asText(""), spec.path("uid").asText(""), groups);
  }

  private ObjectNode accessStatus(ReviewType type, UserInfo user, JsonNode spec) {
    Authorizer.Decision decision = authorizer.decide(user, ReviewedAccess.of(type, user, spec));
    ObjectNode status = Json.object().put("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
    return status;
  }
}
