// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.time.DurationText;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ControllerBuilder} was told, and what it makes of it. For use by one thread.
 *
 * @param <T> the primary type
 */
final class Registration<T extends HasMetadata> {

  final Watches watches = new Watches();
  final Needs needs = new Needs();
  final List<References<T>> references = new ArrayList<>();
  final ChosenReconciler<T> reconciler = new ChosenReconciler<>();

  /** Found out before {@link #register}, which tells them. */
  final Misuses misuses = new Misuses();

  @Nullable ResourceType primary;
  @Nullable String name;
  @Nullable Duration resync;
  ControllerOptions options = ControllerOptions.defaults();
  @Nullable Integer workers;
  RateLimiter<Request> rateLimiter = RateLimiter.exponential();
  UnaryOperator<WorkQueueOptions<Request>> retryLimit = queue -> queue;
  WorkQueueListener queueListener = WorkQueueListener.NONE;
  ControllerListener listener = ControllerListener.NONE;
  boolean needsLeader = true;
  boolean warmUp = true;
  @Nullable LeaderGroup group;

  /** Makes the controller, and hands it to the manager. */
  Controller register(Manager manager) {
    requireFit(manager);
    ControllerOptions settings = allOptions();
    String kind = primaryType().kind();
    String chosen = name == null ? kind.toLowerCase(Locale.ROOT) : name;
    InformerOptions surroundings = manager.informerOptions();
    Duration period = resync == null ? Resync.period(surroundings.random()) : resync;
    Watches.Sources sources = watches.sources(manager.informers(), period);
    references.forEach(each -> each.addTo(sources.primary()));
    ControllerMetrics metrics =
        new ControllerMetrics(Optional.of(manager.meterRegistry()), listener, queueListener);
    Controller controller =
        new Controller(
            new ControllerConfig(
                chosen,
                kind,
                sources.all(),
                ObservedReconciler.of(
                    manager,
                    chosen,
                    reconciler.on(
                        sources, manager.replicaClient().uncached(), settings.eventRecorder())),
                settings,
                retryLimit.apply(
                    WorkQueueOptions.<Request>named(chosen)
                        .withRateLimiter(rateLimiter)
                        .withListener(metrics)
                        .withScheduler(surroundings.scheduler())),
                metrics,
                sources.states(),
                Leading.of(manager, group, needsLeader, warmUp),
                manager::fail,
                surroundings.scheduler(),
                surroundings.threads(),
                surroundings.random()),
            needs.of(watches.watched(manager.informers()), watches.home(manager.informers())));
    String named = "the controller " + chosen;
    Optional.ofNullable(group)
        .ifPresentOrElse(g -> g.add(named, controller), () -> manager.add(named, controller));
    return controller;
  }

  private void requireFit(Manager manager) {
    Optional<String> found =
        misuses
            .first()
            .or(() -> reconciler.misuse(watches.knowsMetadataOnly(manager.informers())))
            .or(() -> watches.misuse(manager.informers()));
    if (found.isPresent()) {
      throw misuse(found.get());
    }
    if (name != null && name.isBlank()) {
      throw misuse("has a blank name: call named(...) with the name for logs, metrics and threads");
    }
    if (!references.isEmpty() && watches.knowsMetadataOnly(manager.informers())) {
      throw misuse(
          "looks for references in objects of which it watches the metadata only: watch them with"
              + " Projection.STRIPPED");
    }
    if (!needsLeader && group != null) {
      throw misuse("runs on every replica, and has a lease: leave out one of the two calls");
    }
    if (resync != null && resync.isNegative()) {
      throw misuse(
          "can't resync every " + DurationText.of(resync) + ": use Duration.ZERO for never");
    }
  }

  /** Options and number of workers may have been given in either order, and must not disagree. */
  private ControllerOptions allOptions() {
    Integer wanted = workers;
    if (wanted == null) {
      return options;
    }
    int other = options.maxConcurrentReconciles();
    if (other != ControllerOptions.defaults().maxConcurrentReconciles() && other != wanted) {
      throw misuse(
          "is given %d workers by maxConcurrentReconciles(...), and %d by options(...): leave one of the two out"
              .formatted(wanted, other));
    }
    return options.withMaxConcurrentReconciles(wanted);
  }

  ResourceType primaryType() {
    return Objects.requireNonNull(primary, "without a primary type, register refuses");
  }

  private IllegalStateException misuse(String what) {
    return new IllegalStateException(
        "the controller of " + (primary == null ? "nothing" : primary.kind()) + " " + what);
  }
}
