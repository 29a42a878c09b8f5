// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import dev.windlass.httpserver.auth.ReviewClient.Caller;
import dev.windlass.rest.JsonHttpClient;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends TokenReviews and SubjectAccessReviews to the API server. This class does not retry
 * requests.
 */
final class HttpReviewClient implements ReviewClient {

  /**
   * The time limit for a response: 10 s, as in controller-runtime. A page request can require two
   * reviews. Both together take at most 15 s, which is the endpoint's time limit for a page
   * request.
   */
  static final Duration LIMIT = Duration.ofSeconds(10);

  private final JsonHttpClient requests;
  private final Scheduler scheduler;

  HttpReviewClient(KubernetesClient client, Scheduler scheduler) {
    this.requests = JsonHttpClient.withoutRetry(client);
    this.scheduler = scheduler;
  }

  @Override
  public Optional<Caller> whose(String token) throws IOException, InterruptedException {
    TokenReview question =
        new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build();
    TokenReview answer =
        ask("apis/authentication.k8s.io/v1/tokenreviews", question, TokenReview.class);
    TokenReviewStatus status = answer.getStatus();
    if (status == null
        || !Boolean.TRUE.equals(status.getAuthenticated())
        || status.getUser() == null) {
      return Optional.empty();
    }
    UserInfo user = status.getUser();
    return Optional.of(
        new Caller(
            Objects.requireNonNullElse(user.getUsername(), ""),
            Objects.requireNonNullElse(user.getUid(), ""),
            Objects.requireNonNullElse(user.getGroups(), List.of()),
            Objects.requireNonNullElse(user.getExtra(), Map.of())));
  }

  @Override
  public boolean mayGet(Caller caller, String path) throws IOException, InterruptedException {
    SubjectAccessReview question =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(caller.name())
            .withUid(caller.uid())
            .withGroups(caller.groups())
            .withExtra(caller.extra())
            .withNewNonResourceAttributes()
            .withVerb("get")
            .withPath(path)
            .endNonResourceAttributes()
            .endSpec()
            .build();
    SubjectAccessReview answer =
        ask(
            "apis/authorization.k8s.io/v1/subjectaccessreviews",
            question,
            SubjectAccessReview.class);
    return answer.getStatus() != null
        && Boolean.TRUE.equals(answer.getStatus().getAllowed())
        && !Boolean.TRUE.equals(answer.getStatus().getDenied());
  }

  private <T> T ask(String path, T question, Class<T> type)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> sent =
        requests.send(requests.to(path, LIMIT).post(JsonHttpClient.JSON, requests.write(question)));
    Scheduler.Alarm alarm = scheduler.schedule(() -> sent.cancel(true), LIMIT);
    try {
      HttpResponse<byte[]> response = sent.get();
      if (!response.isSuccessful()) {
        throw new IOException(path + " failed with HTTP " + response.code());
      }
      return answer(response.body(), type);
    } catch (ExecutionException | java.util.concurrent.CancellationException e) {
      @Nullable Throwable cause = e.getCause();
      throw new IOException(
          "no response to " + path + ": " + (cause == null ? e : cause).getClass().getSimpleName(),
          e);
    } finally {
      alarm.cancel();
      sent.cancel(true);
    }
  }

  private <T> T answer(byte @Nullable [] body, Class<T> type) throws IOException {
    try {
      return requests.read(body, type);
    } catch (RuntimeException e) { // the message may quote the token
      throw new IOException("the response is not a " + type.getSimpleName());
    }
  }
}
