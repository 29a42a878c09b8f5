// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.ListReason;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The meters for all informers of one type on one cluster. */
final class TypeMetrics {

  /** The event types that are counted, namely changes and bookmarks from watches. */
  private static final List<FeedEvent.Type> WATCHED =
      List.of(
          FeedEvent.Type.ADDED,
          FeedEvent.Type.MODIFIED,
          FeedEvent.Type.DELETED,
          FeedEvent.Type.BOOKMARK);

  private final Meters meters;
  private final String cluster;
  private final String type;
  private final Supplier<CacheState> state;

  /** The counts, each of which knows only what it has seen when it was asked. */
  private final List<DoubleSupplier> sums = new ArrayList<>();

  /**
   * The number of informers that use these metrics. {@link InformerMetrics} changes this number
   * under its own lock.
   */
  int users;

  TypeMetrics(MeterRegistry registry, String cluster, String type, Supplier<CacheState> state) {
    this.meters = new Meters(registry);
    this.cluster = cluster;
    this.type = type;
    this.state = state;
    feedCounts();
    feedLevels();
    handlerLevels();
    cacheLevels();
  }

  private void feedCounts() {
    for (FeedEvent.Type event : WATCHED) {
      counted(
          "windlass_informer_events_total",
          "Changes and bookmarks received from watches",
          status -> status.events().getOrDefault(event, 0L),
          "event",
          lower(event));
    }
    for (ListReason reason : ListReason.values()) {
      counted(
          "windlass_informer_lists_total",
          "Full lists requested, by reason; all except start are relists",
          status -> status.lists().getOrDefault(reason, 0L),
          "reason",
          lower(reason));
    }
    for (FeedFailure.Reason reason : FeedFailure.Reason.values()) {
      counted(
          "windlass_informer_failures_total",
          "Lists and watches that failed, by reason",
          status -> status.failures().getOrDefault(reason, 0L),
          "reason",
          lower(reason));
    }
    counted(
        "windlass_informer_watches_total",
        "Watches that were opened or reopened",
        InformerStatus::watches);
    counted(
        "windlass_informer_unreadable_total",
        "Objects left out because their data is invalid",
        InformerStatus::unreadable);
    counted(
        "windlass_informer_out_of_order_total",
        "Changes with a lower version than an earlier one",
        InformerStatus::outOfOrder);
    counted(
        "windlass_informer_audit_mismatches_total",
        "Objects that audits found to differ",
        InformerStatus::auditMismatches);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private String[] labels(String... more) {
    String[] labels = new String[4 + more.length];
    labels[0] = "cluster_name";
    labels[1] = cluster;
    labels[2] = "type";
    labels[3] = type;
    System.arraycopy(more, 0, labels, 4, more.length);
    return labels;
  }

  private void level(String name, String help, ToDoubleFunction<CacheState> level) {
    meters.gauge(name, help, () -> level.applyAsDouble(state.get()), labels());
  }

  private void seconds(String name, String help, Function<CacheState, Duration> level) {
    meters.seconds(name, help, () -> level.apply(state.get()), labels());
  }

  /** Registers the sum of the counts of all informers of the type. */
  private void counted(
      String name, String help, Function<InformerStatus, Long> count, String... more) {
    grown(name, help, caches -> caches.perInformer(count), more);
  }

  private void grown(
      String name, String help, Function<CacheState, Map<Object, Long>> counts, String... more) {
    MonotonicSum growth = new MonotonicSum();
    DoubleSupplier sum =
        () -> {
          synchronized (growth) {
            return growth.to(counts.apply(state.get()));
          }
        };
    sums.add(sum);
    meters.count(name, help, sum, labels(more));
  }

  private void feedLevels() {
    level("windlass_informer_informers", "Informers of the type", CacheState::informers);
    level(
        "windlass_informer_synced",
        "1 if all informers of the type have processed their first list",
        caches -> caches.synced() ? 1 : 0);
    level(
        "windlass_informer_failing",
        "Informers of the type that are not up to date, because lists or watches fail",
        CacheState::failing);
    level(
        "windlass_informer_silence_seconds",
        "Time since the server last sent anything: a change, a bookmark, an opened watch",
        caches -> caches.silence().map(silence -> silence.toNanos() / 1e9).orElse(Double.NaN));
    seconds(
        "windlass_informer_lag_seconds",
        "How long the oldest pending change has waited to enter the cache",
        CacheState::lag);
  }

  private void handlerLevels() {
    level(
        "windlass_informer_handler_backlog",
        "Events waiting for the slowest handler",
        CacheState::backlog);
    seconds(
        "windlass_informer_handler_lag_seconds",
        "Age of the event that the slowest handler processes, or will process next",
        CacheState::handlerLag);
    grown(
        "windlass_informer_handler_failures_total",
        "Events on which a handler threw",
        CacheState::handlerFailures);
  }

  private void cacheLevels() {
    level("windlass_cache_objects", "Objects in the cache", CacheState::objects);
    level("windlass_cache_bytes", "Bytes of JSON in the cache", CacheState::bytes);
    level(
        "windlass_cache_unconfirmed_writes",
        "Writes of this process that the watch has not confirmed yet",
        CacheState::unconfirmed);
    grown(
        "windlass_cache_forgotten_writes_total",
        "Writes of this process beyond the number that can wait for the watch",
        CacheState::forgottenWrites);
    counted(
        "windlass_cache_undecodable_total",
        "Times that an object did not fit its class, was nested too deep, or a transform failed",
        InformerStatus::undecodable);
    counted(
        "windlass_cache_index_failures_total",
        "Times that an index function failed",
        InformerStatus::indexFailures);
  }

  void count() {
    for (DoubleSupplier sum : sums) {
      double unused = sum.getAsDouble(); // which remembers what it has seen
    }
  }

  void close() {
    meters.close();
  }
}
