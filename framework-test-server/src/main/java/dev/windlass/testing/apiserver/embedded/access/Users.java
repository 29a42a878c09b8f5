// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.types.ReviewType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The server's users, identified by bearer tokens. They have names, which webhooks and
 * managedFields see, and all have all permissions. A request without a known token counts as a
 * request from the administrator. This class is thread-safe.
 */
public final class Users {
  private static final String BEARER = "Bearer ";
  private static final String AUTHENTICATED = "system:authenticated";

  private final Map<String, UserInfo> byToken = new ConcurrentHashMap<>();

  /** Issues a token for a user. The user is also a member of {@code system:authenticated}. */
  public String token(String user, List<String> groups) {
    String token = UUID.randomUUID().toString();
    byToken.put(token, authenticated(user, groups));
    return token;
  }

  private static UserInfo authenticated(String user, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    if (!all.contains(AUTHENTICATED)) {
      all.add(AUTHENTICATED);
    }
    return new UserInfo(user, "", all);
  }

  /**
   * Returns the user who sends a request, or whom the sender impersonates.
   *
   * @param headers a function that returns the values of a request header, separated by commas, or
   *     null if the request does not have the header
   */
  public UserInfo sender(UnaryOperator<@Nullable String> headers) {
    String other = headers.apply("Impersonate-User");
    if (other != null && !other.isEmpty()) {
      String groups = headers.apply("Impersonate-Group");
      boolean none = groups == null || groups.isEmpty();
      return authenticated(other, none ? List.of() : List.of(groups.split(",", -1)));
    }
    String authorization = headers.apply("Authorization");
    return authorization != null && authorization.startsWith(BEARER)
        ? byToken.getOrDefault(authorization.substring(BEARER.length()).strip(), UserInfo.ADMIN)
        : UserInfo.ADMIN;
  }

  /**
   * Returns the response to a request that creates a review of a token, a user or an access.
   * Returns empty for other paths.
   *
   * @throws StatusException if the method is not POST
   */
  public Optional<ObjectNode> review(
      String method, List<String> path, UserInfo sender, byte[] body) {
    Optional<ReviewType> type = ReviewType.at(path);
    if (type.isPresent() && !method.equals("POST")) {
      throw StatusException.methodNotAllowed();
    }
    return type.map(known -> review(known, sender, Json.parseObject(body).path("spec")));
  }

  private ObjectNode review(ReviewType type, UserInfo sender, JsonNode spec) {
    ObjectNode answer = Json.object().put("kind", type.kind());
    answer.put("apiVersion", type.group() + "/" + ReviewType.VERSION);
    answer.putObject("metadata").putNull("creationTimestamp");
    if (spec.isObject()) {
      answer.set("spec", spec);
    }
    ObjectNode status = answer.putObject("status");
    switch (type) {
      case SELF_SUBJECT_REVIEW -> status.set("userInfo", sender.json());
      case TOKEN_REVIEW -> {
        UserInfo user = byToken.get(spec.path("token").asText(""));
        if (user == null) {
          status.put("authenticated", false).put("error", "invalid bearer token");
        } else {
          status.put("authenticated", true).set("user", user.json());
        }
      }
      case SELF_SUBJECT_ACCESS_REVIEW, SUBJECT_ACCESS_REVIEW -> status.put("allowed", true);
      case SELF_SUBJECT_RULES_REVIEW -> {
        ObjectNode resources = status.putArray("resourceRules").addObject();
        for (String field : List.of("verbs", "apiGroups", "resources")) {
          resources.putArray(field).add("*");
        }
        status.putArray("nonResourceRules");
        status.put("incomplete", false);
      }
    }
    return answer;
  }
}
