// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.failure.Advice;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.failure.TransportFailure;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Lease on an API server. Requests are asynchronous, are not retried, and end after half the
 * renew deadline, whatever the server does. Any other content of the Lease is preserved.
 */
final class HttpLeaseLock implements LeaseLock {

  private static final String JSON = "application/json";

  private final HttpClient http;
  private final KubernetesSerialization json;
  private final String leases;
  private final LeaderElectionOptions options;

  /** The Lease that was last seen, whose other content is preserved. */
  private volatile @Nullable Lease seen;

  /** Creates a lock; the options must name a namespace. */
  HttpLeaseLock(KubernetesClient client, LeaderElectionOptions options) {
    this.http =
        client
            .getHttpClient()
            .newBuilder()
            .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
            .build();
    this.json = client.getKubernetesSerialization();
    String server = client.getConfiguration().getMasterUrl();
    this.leases =
        (server.endsWith("/") ? server : server + "/")
            + "apis/coordination.k8s.io/v1/namespaces/"
            + options.namespace()
            + "/leases";
    this.options = options;
  }

  @Override
  public CompletableFuture<Optional<LeaseRecord>> read() {
    return send(
        at("/" + options.name()),
        response -> response.code() == 404 ? Optional.empty() : Optional.of(taken(response)));
  }

  @Override
  public CompletableFuture<LeaseRecord> write(LeaseRecord record) {
    String body = json.asJson(lease(record));
    HttpRequest.Builder request =
        record.version().isEmpty()
            ? at("").post(JSON, body)
            : at("/" + options.name()).put(JSON, body);
    return send(request, this::taken);
  }

  private HttpRequest.Builder at(String path) {
    return http.newHttpRequestBuilder()
        .uri(URI.create(leases + path))
        .header("Accept", JSON)
        .timeout(options.callLimit().toMillis(), TimeUnit.MILLISECONDS);
  }

  private <T> CompletableFuture<T> send(
      HttpRequest.Builder request, Function<HttpResponse<byte[]>, T> answer) {
    CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request.build(), byte[].class);
    CompletableFuture<T> result =
        sent.exceptionally(
                failure -> {
                  throw new CompletionException(noAnswer(QuotedText.cause(failure)));
                })
            .thenApply(answer);
    CompletableFuture<T> unused =
        result.whenComplete(
            (value, failure) -> {
              if (result.isCancelled()) {
                sent.cancel(true);
              }
            });
    return result;
  }

  private LeaseRecord taken(HttpResponse<byte[]> response) {
    byte[] body = response.body();
    String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
    if (response.isSuccessful()) {
      Lease lease = json.unmarshal(text, Lease.class);
      LeaseRecord record = record(lease);
      seen = lease;
      return record;
    }
    String message = message(response, text);
    throw new CompletionException(
        isChanged(response) ? new LeaseChangedException(message) : new IOException(message));
  }

  /** Returns whether the Lease to update is gone or has changed, or the one to create exists. */
  private static boolean isChanged(HttpResponse<byte[]> response) {
    boolean update = response.request().method().equals("PUT");
    return response.code() == 409 || (update && response.code() == 404);
  }

  private static IOException noAnswer(Throwable failure) {
    return new IOException(
        "no answer: " + QuotedText.of(failure) + ". " + Advice.of(TransportFailure.of(failure)),
        failure);
  }

  /** Returns what the server said, as far as it is meant for people, and what to do. */
  private String message(HttpResponse<byte[]> response, String body) {
    Status status = status(body);
    String said = status == null ? null : status.getMessage();
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
        + (said == null ? "" : ": " + QuotedText.oneLine(said))
        + ". "
        + Advice.of(ErrorResponse.of(response.code(), status).problem()).about(access);
  }

  private @Nullable Status status(String body) {
    try {
      return json.unmarshal(body, Status.class);
    } catch (RuntimeException e) {
      return null; // not a response of an API server; the code is enough
    }
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
