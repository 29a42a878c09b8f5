// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.enqueue.InformerSource.Opened;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.Informer;
import dev.windlass.informer.InformerLease;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.MultiNamespaceInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.time.Loop;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Something that asks for reconciles. A controller starts each of its sources once per run. */
@FunctionalInterface
public interface Source {

  /**
   * Begins to put requests into the sink, and returns at once. If it throws, it has left nothing
   * behind, and may be called again.
   *
   * @param sink may be used by any thread until the source is stopped
   */
  Running start(PrioritySink sink);

  /**
   * Gets ready on a replica that does not lead yet, without a request: fills caches, so that {@link
   * #start}, which follows when it leads, finds them filled. What this returns is stopped after
   * that.
   *
   * @return empty, the default, for a source whose requests nobody could compute again. Such a
   *     source is started at once, and the controller keeps what it asks for until the replica
   *     leads, once for each object
   */
  default Optional<Running> warmUp() {
    return Optional.empty();
  }

  /** A source that has been started. All methods may be called from any thread. */
  interface Running {

    /** Whether everything that there was at the start has led to its requests. */
    boolean hasSynced();

    /** Why it has not synced or is not up to date, in a sentence; empty if all is well. */
    default Optional<String> trouble() {
      return Optional.empty();
    }

    /**
     * The loops that must be running while this does, for the liveness of the controller: one that
     * has ended, or whose round has taken for 40 s, is red. None by default.
     */
    default List<Loop> loops() {
      return List.of();
    }

    /** Ends the requests: none is made after this has returned. Repeatable. */
    void stop();
  }

  /**
   * The changes of the objects that an informer copies, which stays the caller's.
   *
   * @param predicate decides which of them matter
   * @param handler turns those into requests
   * @param resync how often every object is shown again; zero for never
   * @param startInformer makes sure that the informer runs
   */
  static <T> InformerSource<T> informer(
      Informer<T> informer,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync,
      Runnable startInformer) {
    return new InformerSource<>(
        informer.type().resource(),
        "",
        () -> new Opened<>(informer, startInformer, () -> {}),
        predicate,
        handler,
        resync);
  }

  /**
   * The changes of the objects of a spec. The informer is shared with all who ask for the same; it
   * is watched from a start of this source until the last of them has stopped.
   *
   * @param informers those of the cluster that the spec names
   * @param predicate decides which of them matter
   * @param handler turns those into requests
   * @param resync how often every object is shown again; zero for never
   */
  static <T> InformerSource<T> informer(
      SharedInformerFactory informers,
      InformerSpec<T> spec,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync) {
    return new InformerSource<>(
        spec.type().resource(),
        spec.cluster(),
        () -> {
          InformerLease<T> lease = informers.acquire(spec.inCluster(""));
          return new Opened<>(lease.informer(), informers::start, lease::close);
        },
        predicate,
        handler,
        resync);
  }

  /**
   * As {@link #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler,
   * Duration)}, in several namespaces.
   *
   * @param spec without a namespace of its own
   */
  static <T> InformerSource<T> informer(
      SharedInformerFactory informers,
      InformerSpec<T> spec,
      Set<String> namespaces,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync) {
    return new InformerSource<>(
        spec.type().resource(),
        spec.cluster(),
        () -> {
          MultiNamespaceInformer<T> informer = informers.acquire(spec.inCluster(""), namespaces);
          return new Opened<>(informer, informers::start, informer::close);
        },
        predicate,
        handler,
        resync);
  }

  /**
   * As {@link #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler,
   * Duration)}, in namespaces that may change meanwhile.
   *
   * @param spec without a namespace of its own
   */
  static <T> InformerSource<T> informer(
      SharedInformerFactory informers,
      InformerSpec<T> spec,
      NamespaceSet namespaces,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync) {
    InformerSource<T> source =
        new InformerSource<>(
            spec.type().resource(),
            spec.cluster(),
            () -> {
              MultiNamespaceInformer<T> informer = informers.acquire(spec.inCluster(""), Set.of());
              return new Opened<>(informer, informers::start, informer::close);
            },
            predicate,
            handler,
            resync);
    return source.following(namespaces);
  }

  /**
   * Keeps a set to the namespaces whose labels match; asks for no reconcile itself.
   *
   * @param selector in the syntax of the API server
   * @param namespaces changed by this source alone
   * @throws IllegalArgumentException if that is no selector, quoting it
   */
  static Source namespaces(
      SharedInformerFactory informers, String selector, NamespaceSet namespaces) {
    return new NamespaceSource(informers, selector, namespaces);
  }

  /**
   * What the program itself sends, with room for {@link EventChannel#CAPACITY} messages.
   *
   * @param type of the objects that can be sent; their keys can, too
   * @param options threads and time
   */
  static <T extends HasMetadata> EventChannel<T> channel(Class<T> type, InformerOptions options) {
    return channel(type, EventChannel.CAPACITY, options);
  }

  /**
   * As {@link #channel(Class, InformerOptions)}, with room for so many messages.
   *
   * @throws IllegalArgumentException if that is less than one
   */
  static <T extends HasMetadata> EventChannel<T> channel(
      Class<T> type, int capacity, InformerOptions options) {
    return new EventChannel<>(type, capacity, options);
  }

  /**
   * The requests of a supplier, asked for every period, first when one is over. Ticks that come
   * while the supplier is busy are left out. If it throws, that is logged and told as trouble, and
   * it is asked again after a period.
   *
   * @param requests asked by a thread of its own, so it may block, for less than 40 s: one that
   *     takes longer counts as hanging, and the controller's check of liveness is red
   * @param options threads and time
   * @throws IllegalArgumentException if the period is not positive
   */
  static Source ticker(
      Duration period, Supplier<? extends Collection<Request>> requests, InformerOptions options) {
    return ticker(period, 0, requests, options);
  }

  /**
   * As {@link #ticker(Duration, Supplier, InformerOptions)}, each time up to a fraction later.
   *
   * @param jitter from 0 for none to 1 for up to twice the period
   * @throws IllegalArgumentException also if the jitter is out of range
   */
  static Source ticker(
      Duration period,
      double jitter,
      Supplier<? extends Collection<Request>> requests,
      InformerOptions options) {
    return new Ticker(period, jitter, requests, options);
  }

  /**
   * Every object of the primary type of those controllers that watch this, whenever {@link
   * ReconcileAll#trigger()} is called; see {@link ReconcileAll#over} for other objects.
   */
  static ReconcileAll all() {
    return new ReconcileAll();
  }
}
