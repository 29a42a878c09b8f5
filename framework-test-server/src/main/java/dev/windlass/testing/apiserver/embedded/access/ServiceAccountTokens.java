// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Issues tokens for ServiceAccounts. Clients request a token through the ServiceAccount's token
 * subresource.
 */
public final class ServiceAccountTokens {
  static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
  private static final long DEFAULT_SECONDS = 3_600;
  private static final int PATH_LENGTH = 7;

  private final Store store;
  private final Users users;
  private final Clock clock;

  public ServiceAccountTokens(Store store, Users users, Clock clock) {
    this.store = store;
    this.users = users;
    this.clock = clock;
  }

  /** Returns whether a path refers to the token subresource of a ServiceAccount. */
  static boolean isAt(List<String> path) {
    return path.size() == PATH_LENGTH
        && path.subList(0, 3).equals(List.of("api", "v1", "namespaces"))
        && path.get(4).equals("serviceaccounts")
        && path.get(6).equals("token");
  }

  /** Issues a token, and returns a TokenRequest that contains it. */
  ObjectNode issue(String namespace, String name, ObjectNode request) {
    ObjectKey key = new ObjectKey(namespace, name);
    ObjectNode account;
    try (Store.Transaction tx = store.begin()) {
      account = tx.get(Users.ACCOUNTS, key);
    }
    if (account == null) {
      throw StatusException.notFound(Users.ACCOUNTS, name);
    }
    ObjectNode spec = Json.object();
    spec.set("audiences", request.path("spec").path("audiences"));
    if (spec.path("audiences").isEmpty()) {
      spec.putArray("audiences").add(AUDIENCE);
    }
    long seconds = request.path("spec").path("expirationSeconds").asLong(DEFAULT_SECONDS);
    spec.put("expirationSeconds", seconds).putNull("boundObjectRef");
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant expiry = now.plusSeconds(seconds);
    ObjectNode answer = Json.object().put("kind", "TokenRequest");
    answer.put("apiVersion", "authentication.k8s.io/v1");
    answer
        .putObject("metadata")
        .put("name", name)
        .put("namespace", namespace)
        .put("creationTimestamp", now.toString());
    answer.set("spec", spec);
    answer
        .putObject("status")
        .put("token", users.token(key, Meta.of(account).uid(), expiry))
        .put("expirationTimestamp", expiry.toString());
    return answer;
  }
}
