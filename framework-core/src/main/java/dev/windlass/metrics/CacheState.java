// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.InformerStatus.HandlerStatus;
import dev.windlass.informer.SharedIndexInformer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The combined state of all informers of one type. It contains the sum of their sizes and the
 * longest of their lags.
 */
final class CacheState {

  record Seen(SharedIndexInformer<?> informer, InformerStatus status) {}

  static final CacheState NOTHING = new CacheState(List.of());

  private final List<Seen> informers;

  CacheState(List<Seen> informers) {
    this.informers = informers;
  }

  private Stream<InformerStatus> statuses() {
    return informers.stream().map(Seen::status);
  }

  private Stream<HandlerStatus> handlers() {
    return statuses().flatMap(status -> status.handlers().stream());
  }

  long informers() {
    return informers.size();
  }

  long failing() {
    return statuses().filter(status -> status.problem().isPresent()).count();
  }

  boolean synced() {
    return !informers.isEmpty() && statuses().allMatch(InformerStatus::synced);
  }

  long objects() {
    return statuses().mapToLong(InformerStatus::objects).sum();
  }

  long bytes() {
    return statuses().mapToLong(InformerStatus::bytes).sum();
  }

  long unconfirmed() {
    return informers.stream().mapToLong(seen -> seen.informer().overlay().waiting()).sum();
  }

  /**
   * Returns the number of this process's writes that each informer's overlay has dropped because
   * the overlay was full. The keys are the informers.
   */
  Map<Object, Long> forgottenWrites() {
    Map<Object, Long> counts = new HashMap<>();
    informers.forEach(seen -> counts.put(seen.informer(), seen.informer().overlay().forgotten()));
    return counts;
  }

  Duration lag() {
    return longest(statuses().map(InformerStatus::lag));
  }

  /**
   * Returns the longest time for which any informer has not heard from the server. A change, a
   * bookmark or the acceptance of a watch ends this time. The result is empty if no informer has
   * received any of these yet.
   */
  Optional<Duration> silence() {
    return statuses().flatMap(status -> lastSign(status).stream()).max(Duration::compareTo);
  }

  private static Optional<Duration> lastSign(InformerStatus status) {
    return Stream.of(status.sinceEvent(), status.sinceBookmark(), status.watchAge())
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  /** Returns the largest number of events that are pending for a single handler. */
  long backlog() {
    return handlers().mapToLong(HandlerStatus::backlog).max().orElse(0);
  }

  Duration handlerLag() {
    return longest(handlers().map(HandlerStatus::lag));
  }

  private static Duration longest(Stream<Duration> durations) {
    return durations.max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /**
   * Returns one count for each informer. The given function reads the count from the informer's
   * status. The keys are the informers.
   */
  Map<Object, Long> perInformer(Function<InformerStatus, Long> count) {
    Map<Object, Long> counts = new HashMap<>();
    informers.forEach(seen -> counts.put(seen.informer(), count.apply(seen.status())));
    return counts;
  }

  /**
   * Returns the number of failed calls to each handler. Each key consists of the informer and the
   * handler's name.
   */
  Map<Object, Long> handlerFailures() {
    Map<Object, Long> counts = new HashMap<>();
    for (Seen seen : informers) {
      seen.status()
          .handlers()
          .forEach(h -> counts.put(List.of(seen.informer(), h.name()), h.failures()));
    }
    return counts;
  }
}
