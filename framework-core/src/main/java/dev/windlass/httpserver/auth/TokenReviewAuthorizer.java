// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import dev.windlass.httpserver.PageReply;
import dev.windlass.httpserver.PageRequest;
import dev.windlass.httpserver.RequestAuthorizer;
import dev.windlass.httpserver.auth.ReviewClient.Caller;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates callers with a TokenReview, and checks with a SubjectAccessReview whether they are
 * permitted to {@code get} the path, as in controller-runtime. The response is 401 if the token is
 * missing or invalid, 403 if permission is denied, and 503 if the API server does not respond.
 *
 * <p>This class caches the API server's responses: a valid token for 1 min, an invalid token for 10
 * s, a permission for 5 min, and a denial for 30 s. It sends at most 5 reviews of unknown or
 * invalid tokens per second, with bursts of 20. If this limit is reached, the response is 429.
 * Tokens that were valid within the last hour are exempt from the limit. This class stores only
 * hashes of tokens. It is thread-safe.
 */
public final class TokenReviewAuthorizer implements RequestAuthorizer {

  /** The time for which a valid token is cached: 1 min, as in controller-runtime. */
  static final Duration KNOWN = Duration.ofMinutes(1);

  /** The time for which an invalid token is cached: 10 s. */
  static final Duration UNKNOWN = Duration.ofSeconds(10);

  /** The time for which a permission is cached: 5 min, as in controller-runtime. */
  static final Duration ALLOWED = Duration.ofMinutes(5);

  /** The time for which a denial is cached: 30 s, as in controller-runtime. */
  static final Duration DENIED = Duration.ofSeconds(30);

  /**
   * The time for which a valid token is exempt from the rate limit on unknown tokens: 1 h, the
   * usual lifetime of a token.
   */
  static final Duration FAMILIAR = Duration.ofHours(1);

  private static final String ANONYMOUS = "system:anonymous";

  private static final Logger log = LoggerFactory.getLogger(TokenReviewAuthorizer.class);

  /** A caller and the requested path. */
  private record Wish(Caller caller, String path) {}

  private final ReviewClient reviews;
  private final ExpiringCache<String, Optional<Caller>> callers;
  private final ExpiringCache<Wish, Boolean> permissions;
  private final ExpiringCache<String, Boolean> familiar;
  private final ReviewRateLimit limit;

  TokenReviewAuthorizer(ReviewClient reviews, Scheduler scheduler) {
    this.reviews = reviews;
    this.callers = new ExpiringCache<>(scheduler);
    this.permissions = new ExpiringCache<>(scheduler);
    this.familiar = new ExpiringCache<>(scheduler);
    this.limit = new ReviewRateLimit(scheduler);
  }

  /**
   * Creates an authorizer that sends reviews to the API server of the given client. The client
   * needs the permission to create {@code tokenreviews} in {@code authentication.k8s.io} and {@code
   * subjectaccessreviews} in {@code authorization.k8s.io}.
   */
  public static TokenReviewAuthorizer of(KubernetesClient client, Scheduler scheduler) {
    return new TokenReviewAuthorizer(new HttpReviewClient(client, scheduler), scheduler);
  }

  @Override
  public Optional<PageReply> refuse(PageRequest request, String path) throws InterruptedException {
    if (request.bearerToken().isEmpty()) {
      return unauthorized();
    }
    String token = request.bearerToken().get();
    String hash = hash(token);
    if (callers.get(hash).isEmpty() && familiar.get(hash).isEmpty() && !limit.tryTake()) {
      return Optional.of(
          PageReply.text(429, "Too many unauthenticated requests; try again later\n")
              .with("Retry-After", "1"));
    }
    try {
      Optional<Caller> caller = caller(token, hash);
      if (caller.isEmpty() || caller.get().name().equals(ANONYMOUS)) {
        return unauthorized();
      }
      return mayGet(new Wish(caller.get(), path))
          ? Optional.empty()
          : Optional.of(PageReply.text(403, "Forbidden\n"));
    } catch (IOException e) {
      log.warn(
          "Rejected a request for {}: failed to review its caller with the API server: {}",
          path,
          OneLine.of(String.valueOf(e.getMessage()), 200));
      return Optional.of(PageReply.text(503, "failed to review the caller with the API server\n"));
    }
  }

  private static Optional<PageReply> unauthorized() {
    return Optional.of(PageReply.text(401, "Unauthorized\n").with("WWW-Authenticate", "Bearer"));
  }

  private Optional<Caller> caller(String token, String hash)
      throws IOException, InterruptedException {
    Optional<Optional<Caller>> known = callers.get(hash);
    if (known.isPresent()) {
      return known.get();
    }
    Optional<Caller> caller = reviews.whose(token);
    callers.put(hash, caller, caller.isPresent() ? KNOWN : UNKNOWN);
    if (caller.isPresent()) {
      familiar.put(hash, true, FAMILIAR);
    }
    return caller;
  }

  private static String hash(String token) {
    try {
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM provides SHA-256", e);
    }
  }

  private boolean mayGet(Wish wish) throws IOException, InterruptedException {
    Optional<Boolean> known = permissions.get(wish);
    if (known.isPresent()) {
      return known.get();
    }
    boolean allowed = reviews.mayGet(wish.caller(), wish.path());
    permissions.put(wish, allowed, allowed ? ALLOWED : DENIED);
    return allowed;
  }
}
