// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.ShardOptions;
import dev.windlass.rest.JsonHttpClient;
import dev.windlass.rest.RequestStarter;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Leases of a program whose keys are divided into shards, as this replica has observed them.
 * All times are those of the local monotonic clock: a Lease is <em>live</em> if it has a holder and
 * has changed within its lease duration. This class is thread-safe.
 */
final class ShardLeases {

  private record Seen(Lease lease, Duration duration, long since) {
    String version() {
      return lease.getMetadata().getResourceVersion();
    }
  }

  private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);

  private final ShardOptions options;
  private final Scheduler scheduler;
  private final JsonHttpClient requests;
  private final RequestStarter starter;

  /** The names of the Leases of shards, whatever their number is. */
  private final Pattern names;

  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  /**
   * Creates an instance that has not observed any Lease.
   *
   * @param options the options, with a namespace
   */
  ShardLeases(
      ShardOptions options, KubernetesClient client, Scheduler scheduler, ThreadFactory threads) {
    this.options = options;
    this.scheduler = scheduler;
    this.requests = JsonHttpClient.withoutRetry(client);
    this.starter = new RequestStarter("leader-" + options.election().name() + "-rivals", threads);
    this.names =
        Pattern.compile(Pattern.quote(options.election().name()) + "(?:-[0-9]+-of-([0-9]+))?");
  }

  /** Records the state of a Lease that a watch or a list has delivered. */
  void saw(Lease lease) {
    LeaseSpec spec = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    Duration stated =
        Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0));
    Duration own = options.election().leaseDuration();
    Duration longer = stated.compareTo(own) < 0 ? own : stated;
    Seen now = new Seen(lease, longer, scheduler.nanoTime());
    seen.merge(
        lease.getMetadata().getName(),
        now,
        (before, after) -> before.version().equals(after.version()) ? before : after);
  }

  /** Returns the holder of a Lease that is live. */
  Optional<String> holder(String name) {
    return Optional.ofNullable(seen.get(name))
        .filter(this::isLive)
        .map(live -> holder(live.lease()));
  }

  /** Returns the holder that a Lease states, or an empty string. */
  static String holder(Lease lease) {
    LeaseSpec spec = lease.getSpec();
    return spec == null ? "" : Objects.requireNonNullElse(spec.getHolderIdentity(), "");
  }

  private boolean isLive(Seen lease) {
    long unchanged = scheduler.nanoTime() - lease.since();
    return !holder(lease.lease()).isEmpty()
        && unchanged < Scheduler.saturatedNanos(lease.duration());
  }

  /** Returns the time at which a version of a Lease was observed first, or now if it was not. */
  long observedAt(String name, String version, long now) {
    Seen lease = seen.get(name);
    return lease != null && lease.version().equals(version) ? lease.since() : now;
  }

  /** Returns a live Lease of another number of shards. */
  Optional<Lease> rival() {
    return seen.entrySet().stream()
        .filter(lease -> isOfAnotherNumber(lease.getKey()) && isLive(lease.getValue()))
        .map(lease -> lease.getValue().lease())
        .findFirst();
  }

  private boolean isOfAnotherNumber(String name) {
    Matcher matcher = names.matcher(name);
    if (!matcher.matches()) {
      return false;
    }
    String number = matcher.group(1);
    return (number == null ? 1 : Long.parseLong(number)) != options.number();
  }

  /**
   * Lists the Leases on the server, and returns a live one of another number of shards. A single
   * leader that may not list them does not find any.
   */
  CompletableFuture<Optional<Lease>> findRival() {
    LeaderElectionOptions election = options.election();
    String path = "apis/coordination.k8s.io/v1/namespaces/" + election.namespace() + "/leases";
    return RequestStarter.send(
            starter, () -> requests.send(requests.to(path, election.renewDeadline().dividedBy(2))))
        .thenApply(
            response -> {
              list(response).getItems().forEach(this::saw);
              return rival();
            });
  }

  private LeaseList list(HttpResponse<byte[]> response) {
    if (response.isSuccessful()) {
      return requests.read(response.body(), LeaseList.class);
    }
    boolean forbidden = response.code() == HttpURLConnection.HTTP_FORBIDDEN;
    String failure =
        "can't list the Leases in the namespace %s: HTTP %d%s"
            .formatted(
                options.election().namespace(),
                response.code(),
                forbidden ? ", because the permission to list leases is missing" : "");
    if (!forbidden || options.number() > 1) {
      throw new CompletionException(new IOException(failure));
    }
    log.warn("{}; a rolling update from or to several shards needs it", failure);
    return new LeaseList();
  }
}
