// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.httpserver.PageReply;
import dev.windlass.httpserver.PageRequest;
import dev.windlass.httpserver.auth.ReviewClient.Caller;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Http;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TokenReviewAuthorizerTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<String> asked = new ArrayList<>();
  private final Set<String> allowed = new HashSet<>(Set.of("alice /metrics"));
  private boolean down;

  /** Knows alice and bob, and whoever has a token that ends in "-token". */
  private final ReviewClient reviews =
      new ReviewClient() {
        @Override
        public Optional<Caller> whose(String token) throws IOException {
          asked.add("whose " + token);
          if (down) {
            throw new IOException("no answer");
          }
          return token.endsWith("-token")
              ? Optional.of(new Caller(token.replace("-token", ""), "", List.of("group"), Map.of()))
              : Optional.empty();
        }

        @Override
        public boolean mayGet(Caller caller, String path) throws IOException {
          asked.add(caller.name() + " " + path);
          if (down) {
            throw new IOException("no answer");
          }
          return allowed.contains(caller.name() + " " + path);
        }
      };

  private final TokenReviewAuthorizer gate = new TokenReviewAuthorizer(reviews, time);

  private int code(String token, String path) throws Exception {
    return code(gate, token, path);
  }

  private static int code(TokenReviewAuthorizer gate, String token, String path) throws Exception {
    PageRequest request =
        new PageRequest(
            path + "/below", Map.of(), token.isEmpty() ? Optional.empty() : Optional.of(token));
    return gate.refuse(request, path).map(PageReply::code).orElse(200);
  }

  @Test
  void admitsAuthenticatedAndAuthorisedCallers() throws Exception {
    assertThat(code("alice-token", "/metrics")).isEqualTo(200);
    assertThat(code("alice-token", "/debug")).isEqualTo(403);
    assertThat(code("bob-token", "/metrics")).isEqualTo(403);
    assertThat(code("nonsense", "/metrics")).isEqualTo(401);
  }

  @Test
  void refusesWhoIsAnonymousWithoutAskingOrWithAToken() throws Exception {
    assertThat(code("", "/metrics")).isEqualTo(401);
    assertThat(asked).isEmpty();
    allowed.add("system:anonymous /metrics");
    assertThat(code("system:anonymous-token", "/metrics")).isEqualTo(401);
  }

  /** Who is not known can't have the server asked more often than that, whatever tokens he has. */
  @Test
  void asksForStrangers20TimesAtOnceAnd5TimesASecond() throws Exception {
    code("alice-token", "/metrics");
    time.advance(Duration.ofMinutes(2)); // whose it is must be asked again
    asked.clear();
    for (int i = 0; i < 100; i++) {
      assertThat(code("made-up-" + i, "/metrics")).isEqualTo(i < 20 ? 401 : 429);
    }
    assertThat(asked).hasSize(20);
    assertThat(code("made-up-3", "/metrics")).as("remembered").isEqualTo(401);
    assertThat(code("alice-token", "/metrics")).as("known for an hour").isEqualTo(200);
    asked.clear();
    time.advance(Duration.ofSeconds(1));
    for (int i = 100; i < 200; i++) {
      code("made-up-" + i, "/metrics");
    }
    assertThat(asked).hasSize(5);
    time.advance(Duration.ofHours(1));
    for (int i = 200; i < 220; i++) {
      code("made-up-" + i, "/metrics");
    }
    assertThat(code("alice-token", "/metrics")).as("a stranger again").isEqualTo(429);
  }

  @Test
  void remembersWhatTheServerSaidForAWhile() throws Exception {
    code("alice-token", "/metrics");
    code("alice-token", "/metrics");
    assertThat(asked).containsExactly("whose alice-token", "alice /metrics");
    time.advance(Duration.ofMinutes(1));
    allowed.clear();
    assertThat(code("alice-token", "/metrics")).as("a permission is good for 5 min").isEqualTo(200);
    assertThat(asked).hasSize(3).last().isEqualTo("whose alice-token");
    time.advance(Duration.ofMinutes(4));
    assertThat(code("alice-token", "/metrics")).isEqualTo(403);
    allowed.add("alice /metrics");
    time.advance(Duration.ofSeconds(30).minusNanos(1));
    assertThat(code("alice-token", "/metrics")).as("a denial is good for 30 s").isEqualTo(403);
    time.advance(Duration.ofNanos(1));
    assertThat(code("alice-token", "/metrics")).isEqualTo(200);
    asked.clear();
    code("nonsense", "/metrics");
    time.advance(Duration.ofSeconds(10).minusNanos(1));
    code("nonsense", "/metrics");
    assertThat(asked).containsExactly("whose nonsense");
    time.advance(Duration.ofNanos(1));
    code("nonsense", "/metrics");
    assertThat(asked).hasSize(2);
  }

  @Test
  void letsNobodyPassIfTheServerDoesNotAnswerAndRemembersNothingOfThat() throws Exception {
    down = true;
    try (Logs logs = Logs.of(TokenReviewAuthorizer.class)) {
      assertThat(code("alice-token", "/metrics")).isEqualTo(503);
      assertThat(logs.lines()).hasSize(1).noneMatch(line -> line.contains("token"));
    }
    down = false;
    assertThat(code("alice-token", "/metrics")).isEqualTo(200);
    down = true;
    time.advance(Duration.ofMinutes(1));
    assertThat(code("alice-token", "/metrics")).isEqualTo(503);
  }

  @Test
  void remembersNoMoreThanItsBound() {
    ExpiringCache<Integer, String> remembered = new ExpiringCache<>(time);
    for (int i = 0; i <= ExpiringCache.MOST; i++) {
      remembered.put(i, "x", KNOWN);
    }
    assertThat(remembered.size()).isEqualTo(ExpiringCache.MOST);
    assertThat(remembered.get(0)).as("the oldest made room").isEmpty();
    assertThat(remembered.get(1)).isPresent();
  }

  private static final Duration KNOWN = TokenReviewAuthorizer.KNOWN;

  @Test
  void asksByReviews() throws Exception {
    String tokenReviews = "POST /apis/authentication.k8s.io/v1/tokenreviews";
    String accessReviews = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";
    try (Http server = new Http();
        KubernetesClient client = server.newClient()) {
      server.answer(
          tokenReviews,
          """
          {"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","status":{
            "authenticated":true,"user":{"username":"alice","uid":"7","groups":["g"],
            "extra":{"k":["v"]}}}}\
          """);
      server.answer(
          accessReviews,
          """
          {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",
            "status":{"allowed":true}}\
          """);
      assertThat(code(TokenReviewAuthorizer.of(client, time), "t", "/metrics")).isEqualTo(200);
      assertThat(server.asked().get(0).body()).contains("\"token\":\"t\"");
      assertThat(server.asked().get(1).body())
          .contains("\"user\":\"alice\"", "\"uid\":\"7\"", "\"groups\":[\"g\"]", "\"k\":[\"v\"]")
          .contains("\"path\":\"/metrics\"", "\"verb\":\"get\"");
      server.answer(accessReviews, "{\"status\":{\"allowed\":true,\"denied\":true}}");
      assertThat(code(TokenReviewAuthorizer.of(client, time), "t", "/metrics")).isEqualTo(403);
      server.fail(accessReviews, 500);
      assertThat(code(TokenReviewAuthorizer.of(client, time), "t", "/metrics")).isEqualTo(503);
      server.answer(tokenReviews, "{\"status\":{\"authenticated\":false,\"user\":{}}}");
      assertThat(code(TokenReviewAuthorizer.of(client, time), "t", "/metrics")).isEqualTo(401);
      server.answer(tokenReviews, "no json");
      assertThat(code(TokenReviewAuthorizer.of(client, time), "t", "/metrics")).isEqualTo(503);
      assertThat(time.pending()).as("alarms that are left").isEmpty();
    }
  }
}
