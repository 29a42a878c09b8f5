// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.enqueue.InformerSource.Opened;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.Informer;
import dev.windlass.informer.InformerHandle;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.MultiNamespaceInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.scheduling.Loop;
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
   * Starts to put requests into the sink. This method must not block. If it throws, it must have
   * had no effect, and the controller can call it again.
   *
   * @param sink the sink, which any thread can use until the source is stopped
   */
  Running start(PrioritySink sink);

  /**
   * Prepares the source on a replica that does not lead yet, without making requests. Typically, it
   * fills caches so that they are ready when {@link #start} is called once the replica leads. The
   * returned object is stopped after that call.
   *
   * @return the warm-up. The default is empty, for a source whose requests could not be recomputed.
   *     This source is started immediately, and the controller keeps its requests until the replica
   *     leads, one per object
   */
  default Optional<Running> warmUp() {
    return Optional.empty();
  }

  /** A started source. Implementations are thread-safe. */
  interface Running {

    /**
     * Returns whether the source has made the requests for all objects that existed at the start.
     */
    boolean hasSynced();

    /**
     * Returns one sentence that explains why the source has not synced or is not up to date, or
     * empty if there is no problem.
     */
    default Optional<String> problem() {
      return Optional.empty();
    }

    /**
     * Returns the loops that must run while this source runs, for the liveness of the controller.
     * The check fails if a loop has stopped, or if its current round has taken 40 s. By default,
     * there are none.
     */
    default List<Loop> loops() {
      return List.of();
    }

    /**
     * Stops the source. The source makes no requests after this method has returned. This method is
     * idempotent.
     */
    void stop();
  }

  /**
   * Creates a source for the changes to the objects in an informer. The caller remains responsible
   * for stopping the informer.
   *
   * @param predicate selects the relevant changes
   * @param handler turns the selected changes into requests
   * @param resync the period after which every object is delivered again, or zero for never
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
   * Creates a source for the changes to the objects of a spec. All users that acquire the same
   * informer share it. The informer watches from the start of this source until its last user has
   * stopped.
   *
   * @param informers the informers of the cluster that the spec names
   * @param predicate selects the relevant changes
   * @param handler turns the selected changes into requests
   * @param resync the period after which every object is delivered again, or zero for never
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
          InformerHandle<T> lease = informers.acquire(spec.inCluster(""));
          return new Opened<>(lease.informer(), informers::start, lease::close);
        },
        predicate,
        handler,
        resync);
  }

  /**
   * Creates a source for several namespaces. It behaves like {@link
   * #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler, Duration)}
   * otherwise.
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
   * Creates a source for a set of namespaces that can change at runtime. It behaves like {@link
   * #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler, Duration)}
   * otherwise.
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
   * Creates a source that keeps a set equal to the namespaces whose labels match. The source
   * requests no reconciles.
   *
   * @param selector a label selector in the syntax of the API server
   * @param namespaces the set, which only this source may change
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
   * @param type the type of the objects that can be sent; requests for their keys can also be sent
   * @param options the options that provide threads and time
   */
  static <T extends HasMetadata> EventChannel<T> channel(Class<T> type, InformerOptions options) {
    return channel(type, EventChannel.CAPACITY, options);
  }

  /**
   * Creates a channel with room for the given number of messages. It behaves like {@link
   * #channel(Class, InformerOptions)} otherwise.
   *
   * @throws IllegalArgumentException if the capacity is less than one
   */
  static <T extends HasMetadata> EventChannel<T> channel(
      Class<T> type, int capacity, InformerOptions options) {
    return new EventChannel<>(type, capacity, options);
  }

  /**
   * Creates a source that periodically calls a supplier for requests, for the first time after one
   * period. Ticks are skipped while the supplier is busy. If the supplier throws, the exception is
   * logged and reported by {@link Running#problem}, and the supplier is called again after a
   * period.
   *
   * @param requests the supplier, which is called on a separate thread and can block for up to 40
   *     s. A longer call counts as hanging and makes the liveness check of the controller fail
   * @param options the options that provide threads and time
   * @throws IllegalArgumentException if the period is not positive
   */
  static Source ticker(
      Duration period, Supplier<? extends Collection<Request>> requests, InformerOptions options) {
    return ticker(period, 0, requests, options);
  }

  /**
   * Creates a ticker whose periods are each extended by a random fraction. It behaves like {@link
   * #ticker(Duration, Supplier, InformerOptions)} otherwise.
   *
   * @param jitter the maximum fraction, from 0 for none to 1 for up to twice the period
   * @throws IllegalArgumentException if the period is not positive or the jitter is out of range
   */
  static Source ticker(
      Duration period,
      double jitter,
      Supplier<? extends Collection<Request>> requests,
      InformerOptions options) {
    return new Ticker(period, jitter, requests, options);
  }

  /**
   * Creates a trigger that reconciles every object of the primary type of the controllers that
   * watch it. Call {@link ReconcileAll#trigger()} to fire it. See {@link ReconcileAll#over} for
   * other objects.
   */
  static ReconcileAll all() {
    return new ReconcileAll();
  }
}
