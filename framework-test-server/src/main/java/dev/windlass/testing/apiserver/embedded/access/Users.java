// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The server's users, identified by bearer tokens. A request without a token counts as a request
 * from the administrator. This class is thread-safe.
 */
public final class Users {
  static final GroupResource ACCOUNTS = new GroupResource("", "serviceaccounts");
  private static final String BEARER = "Bearer ";

  private final Store store;
  private final Clock clock;
  private final boolean strict;
  private final Map<String, Token> tokens = new ConcurrentHashMap<>();

  /**
   * A token that the server has issued.
   *
   * @param user the user whom the token identifies
   * @param expiry the time at which the token expires
   * @param account the ServiceAccount for which the token was issued; null for other users
   */
  private record Token(UserInfo user, Instant expiry, @Nullable ObjectKey account) {}

  /**
   * Creates the users of a server.
   *
   * @param strict whether the server rejects unknown tokens; if false, an unknown token identifies
   *     the administrator
   */
  public Users(Store store, Clock clock, boolean strict) {
    this.store = store;
    this.clock = clock;
    this.strict = strict;
  }

  /** Issues a token for a user. The user is also a member of {@code system:authenticated}. */
  public String token(String user, List<String> groups) {
    List<String> all = new ArrayList<>(groups);
    if (!all.contains("system:authenticated")) {
      all.add("system:authenticated");
    }
    return issue(new Token(new UserInfo(user, "", all), Instant.MAX, null));
  }

  /** Issues a token for an existing ServiceAccount. */
  String token(ObjectKey account, String uid, Instant expiry) {
    UserInfo user = ServiceAccounts.user(account.namespace(), account.name(), uid);
    return issue(new Token(user, expiry, account));
  }

  private String issue(Token token) {
    String text = UUID.randomUUID().toString();
    tokens.put(text, token);
    return text;
  }

  /** Returns a token's user, or empty if the token is unknown or expired. */
  Optional<UserInfo> user(String token) {
    return Optional.ofNullable(tokens.get(token)).filter(this::isValid).map(Token::user);
  }

  private boolean isValid(Token token) {
    ObjectKey account = token.account();
    if (account != null) {
      try (Store.Transaction tx = store.begin()) {
        ObjectNode object = tx.get(ACCOUNTS, account);
        if (object == null || !Meta.of(object).uid().equals(token.user().uid())) {
          return false;
        }
      }
    }
    return clock.instant().isBefore(token.expiry());
  }

  /**
   * Returns the user who sends a request.
   *
   * @param headers a function that returns the values of a request header, separated by commas, or
   *     null if the request does not have the header
   * @throws StatusException 401 if the token is invalid, or 403 if the user to whom the token
   *     belongs may not impersonate the user or a group in the headers
   */
  public UserInfo sender(UnaryOperator<@Nullable String> headers, Authorizer authorizer) {
    String authorization = headers.apply("Authorization");
    UserInfo user = UserInfo.ADMIN;
    if (authorization != null && authorization.startsWith(BEARER)) {
      Optional<UserInfo> known = user(authorization.substring(BEARER.length()).strip());
      if (known.isEmpty() && strict) {
        throw StatusException.of(401, "Unauthorized", "Unauthorized");
      }
      user = known.orElse(UserInfo.ADMIN);
    }
    String other = headers.apply("Impersonate-User");
    if (other == null || other.isEmpty()) {
      return user;
    }
    require(user, "users", other, authorizer);
    List<String> groups = new ArrayList<>();
    String names = headers.apply("Impersonate-Group");
    if (names != null && !names.isEmpty()) {
      for (String group : names.split(",", -1)) {
        require(user, "groups", group, authorizer);
        groups.add(group);
      }
    }
    for (String implied : ServiceAccounts.groupsOf(other)) {
      if (!groups.contains(implied)) {
        groups.add(implied);
      }
    }
    return new UserInfo(other, "", groups);
  }

  private static void require(UserInfo user, String resource, String name, Authorizer authorizer) {
    AccessRequest request = new AccessRequest("impersonate", "", resource, "", "", name, "");
    if (!authorizer.decide(user, request).allowed()) {
      throw request.refusal(user);
    }
  }
}
