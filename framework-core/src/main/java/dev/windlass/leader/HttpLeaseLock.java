// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.failure.TransportFailure;
import dev.windlass.leader.LeaseLock.LeaseChangedException;
import dev.windlass.rest.JsonHttpClient;
import dev.windlass.rest.RequestStarter;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Lease on an API server. Requests are asynchronous and are not retried. They time out after half
 * the renew deadline, even if the server hangs. Writes preserve the fields of the Lease that a
 * {@link LeaseRecord} does not contain.
 */
final class HttpLeaseLock implements LeaseLock {

  private final JsonHttpClient requests;
  private final String leases;
  private final LeaderElectionOptions options;
  private final Executor starter;

  /**
   * The Lease that was last read or written. A write copies from this Lease the fields that a
   * {@link LeaseRecord} does not contain.
   */
  private volatile @Nullable Lease seen;

  /**
   * Creates a lock. The options must specify a namespace.
   *
   * @param starter runs the calls that send requests, which can block
   */
  HttpLeaseLock(KubernetesClient client, LeaderElectionOptions options, Executor starter) {
    this.starter = starter;
    this.requests = JsonHttpClient.withoutRetry(client);
    this.leases = "apis/coordination.k8s.io/v1/namespaces/" + options.namespace() + "/leases";
    this.options = options;
  }

  @Override
  public CompletableFuture<Optional<LeaseRecord>> read() {
    return send(
        at("/" + options.name()),
        response -> isAbsent(response) ? Optional.empty() : Optional.of(taken(response)));
  }

  @Override
  public CompletableFuture<LeaseRecord> write(LeaseRecord record) {
    String body = requests.write(lease(record));
    HttpRequest.Builder request =
        record.version().isEmpty()
            ? at("").post(JsonHttpClient.JSON, body)
            : at("/" + options.name()).put(JsonHttpClient.JSON, body);
    return send(request, this::taken);
  }

  private HttpRequest.Builder at(String path) {
    return requests.to(leases + path, options.callLimit());
  }

  private <T> CompletableFuture<T> send(
      HttpRequest.Builder request, Function<HttpResponse<byte[]>, T> answer) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        RequestStarter.send(starter, () -> requests.send(request));
    CompletableFuture<T> result =
        sent.exceptionally(
                failure -> {
                  throw new CompletionException(noAnswer(LogText.cause(failure)));
                })
            .thenApply(answer);
    CompletableFuture<T> unused =
        result.whenComplete(
            (value, failure) -> {
              if (result.isCancelled()) {
                sent.cancel(true); // a request that still waits for its start is not sent
              }
            });
    return result;
  }

  private LeaseRecord taken(HttpResponse<byte[]> response) {
    if (response.isSuccessful()) {
      Lease lease = requests.read(response.body(), Lease.class);
      LeaseRecord record = record(lease);
      seen = lease;
      return record;
    }
    String message = message(response);
    throw new CompletionException(
        isChanged(response) ? new LeaseChangedException(message) : new IOException(message));
  }

  /**
   * Returns whether the server rejected a write because the Lease is not in the expected state. The
   * server rejects an update if the Lease has changed or was deleted. It rejects a create request
   * if the Lease already exists.
   */
  private boolean isChanged(HttpResponse<byte[]> response) {
    boolean update = response.request().method().equals("PUT");
    return response.code() == 409 || (update && isAbsent(response));
  }

  private boolean isAbsent(HttpResponse<byte[]> response) {
    return response.code() == 404
        && (JsonHttpClient.isAbsenceOnMockServer(response)
            || ErrorResponse.of(404, requests.status(response.body()))
                .isAbsent("leases", options.name()));
  }

  private static IOException noAnswer(Throwable failure) {
    return new IOException(
        "no response: "
            + LogText.of(failure)
            + ". "
            + FailureAdvice.of(TransportFailure.of(failure)),
        failure);
  }

  /**
   * Returns a failure message that consists of the status code, the server's message and the
   * remedy.
   */
  private String message(HttpResponse<byte[]> response) {
    ErrorResponse refused = ErrorResponse.of(response.code(), requests.status(response.body()));
    String said = refused.message();
    String verb =
        switch (response.request().method()) {
          case "POST" -> "create";
          case "PUT" -> "update";
          default -> "get";
        };
    RequiredPermission access =
        new RequiredPermission(List.of(verb), "leases", "coordination.k8s.io", options.namespace());
    return "HTTP "
        + response.code()
        + (said.isEmpty() ? "" : ": " + LogText.oneLine(said))
        + ". "
        + FailureAdvice.of(refused).about(access);
  }

  private LeaseRecord record(@Nullable Lease lease) {
    if (lease == null
        || lease.getMetadata() == null
        || lease.getMetadata().getResourceVersion() == null
        || !options.name().equals(lease.getMetadata().getName())) {
      throw new CompletionException(
          new IOException("the response is not the Lease " + options.name()));
    }
    String version = lease.getMetadata().getResourceVersion();
    LeaseSpec spec = lease.getSpec();
    if (spec == null) {
      return new LeaseRecord("", Duration.ZERO, null, null, 0, version);
    }
    return new LeaseRecord(
        spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity(),
        Duration.ofSeconds(orZero(spec.getLeaseDurationSeconds())),
        instant(spec.getAcquireTime()),
        instant(spec.getRenewTime()),
        orZero(spec.getLeaseTransitions()),
        version);
  }

  private static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  private static @Nullable Instant instant(@Nullable ZonedDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static @Nullable ZonedDateTime time(@Nullable Instant instant) {
    return instant == null ? null : instant.atZone(ZoneOffset.UTC);
  }

  private Lease lease(LeaseRecord record) {
    Lease base = seen;
    boolean known =
        base != null && base.getMetadata().getResourceVersion().equals(record.version());
    LeaseBuilder lease =
        known && base != null
            ? new LeaseBuilder(base)
            : new LeaseBuilder()
                .withNewMetadata()
                .withName(options.name())
                .withNamespace(options.namespace())
                .withResourceVersion(record.version().isEmpty() ? null : record.version())
                .endMetadata();
    return lease
        .editOrNewSpec()
        .withHolderIdentity(record.isFree() ? null : record.holder())
        .withLeaseDurationSeconds(Math.toIntExact(Math.max(1, record.duration().toSeconds())))
        .withAcquireTime(time(record.acquired()))
        .withRenewTime(time(record.renewed()))
        .withLeaseTransitions(record.transitions())
        .endSpec()
        .build();
  }
}
