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

/** A source of requests for reconciles. A controller starts each of its sources once per run. */
@FunctionalInterface
public interface Source {

  /**
   * Starts to put requests into the sink, without blocking. If this method throws, it has had no
   * effect and may be called again.
   *
   * @param sink may be used by any thread until the source is stopped
   */
  Running start(PrioritySink sink);

  /**
   * Prepares the source on a replica that does not lead yet, without making requests: fills caches,
   * so that they are ready when {@link #start} is called once the replica leads. The returned
   * object is stopped after that call.
   *
   * @return empty, the default, for a source whose requests could not be computed again. Such a
   *     source is started at once; the controller keeps its requests until the replica leads, one
   *     for each object
   */
  default Optional<Running> warmUp() {
    return Optional.empty();
  }

  /** A source that has been started. Thread safe. */
  interface Running {

    /**
     * Returns whether the source has made the requests for all objects that existed at the start.
     */
    boolean hasSynced();

    /**
     * Returns one sentence that explains why the source has not synced or is not up to date; empty
     * if there is no problem.
     */
    default Optional<String> problem() {
      return Optional.empty();
    }

    /**
     * Returns the loops that must run while this source runs, for the liveness of the controller.
     * The check fails if a loop has ended, or if its current round has taken 40 s. None by default.
     */
    default List<Loop> loops() {
      return List.of();
    }

    /** Stops the source, which makes no requests after this method has returned. Idempotent. */
    void stop();
  }

  /**
   * Creates a source for the changes of the objects in an informer. The caller remains responsible
   * for stopping the informer.
   *
   * @param predicate selects the changes that matter
   * @param handler turns those changes into requests
   * @param resync how often every object is delivered again; zero for never
   * @param startInformer ensures that the informer runs
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
   * Creates a source for the changes of the objects of a spec. All users that acquire the same
   * informer share it. It watches from the start of this source until its last user has stopped.
   *
   * @param informers the informers of the cluster that the spec names
   * @param predicate selects the changes that matter
   * @param handler turns those changes into requests
   * @param resync how often every object is delivered again; zero for never
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
   * Same as {@link #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler,
   * Duration)}, for several namespaces.
   *
   * @param spec a spec without a namespace
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
   * Same as {@link #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler,
   * Duration)}, for namespaces that may change while the source runs.
   *
   * @param spec a spec without a namespace
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
   * Creates a source that keeps a set equal to the namespaces whose labels match. It requests no
   * reconciles itself.
   *
   * @param selector in the syntax of the API server
   * @param namespaces only this source may change it
   * @throws IllegalArgumentException if the selector is invalid; the message quotes it
   */
  static Source namespaces(
      SharedInformerFactory informers, String selector, NamespaceSet namespaces) {
    return new NamespaceSource(informers, selector, namespaces);
  }

  /**
   * Creates a channel for messages from the program itself, with room for {@link
   * EventChannel#CAPACITY} messages.
   *
   * @param type the type of the objects that can be sent; requests for their keys can be sent as
   *     well
   * @param options threads and time
   */
  static <T extends HasMetadata> EventChannel<T> channel(Class<T> type, InformerOptions options) {
    return channel(type, EventChannel.CAPACITY, options);
  }

  /**
   * Same as {@link #channel(Class, InformerOptions)}, with room for the given number of messages.
   *
   * @throws IllegalArgumentException if the capacity is less than one
   */
  static <T extends HasMetadata> EventChannel<T> channel(
      Class<T> type, int capacity, InformerOptions options) {
    return new EventChannel<>(type, capacity, options);
  }

  /**
   * Creates a source that calls a supplier for requests once per period, first after one period.
   * Ticks are skipped while the supplier is busy. If the supplier throws, the exception is logged
   * and reported by {@link Running#problem}, and the supplier is called again after a period.
   *
   * @param requests called on a separate thread, so it may block for up to 40 s. A longer call
   *     counts as hanging and makes the liveness check of the controller fail
   * @param options threads and time
   * @throws IllegalArgumentException if the period is not positive
   */
  static Source ticker(
      Duration period, Supplier<? extends Collection<Request>> requests, InformerOptions options) {
    return ticker(period, 0, requests, options);
  }

  /**
   * Same as {@link #ticker(Duration, Supplier, InformerOptions)}, with each period extended by a
   * random fraction.
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
   * Creates a trigger for reconciles of every object of the primary type of the controllers that
   * watch it. Call {@link ReconcileAll#trigger()} to fire it; see {@link ReconcileAll#over} for
   * other objects.
   */
  static ReconcileAll all() {
    return new ReconcileAll();
  }
}
