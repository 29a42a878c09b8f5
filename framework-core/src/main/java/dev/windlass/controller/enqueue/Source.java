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

/**
 * A source of reconcile requests, such as an informer or a timer.
 *
 * <p>A controller that depends on a lease has <em>terms</em>, in which it owns its keys. Its {@link
 * #kind()} says what a source does between the terms. A controller that does not depend on a lease
 * has one term, from its start to its stop.
 */
@FunctionalInterface
public interface Source {

  /**
   * Starts the source, which then adds requests to the sink. This method must not block. If it
   * throws an exception, it must not have side effects, because the controller may call it again.
   *
   * @param sink the sink, which any thread can use. {@link PrioritySink#isOpen} returns false when
   *     the source is about to be stopped, and requests are dropped
   */
  Running start(PrioritySink sink);

  /** What a source does while the controller owns no keys. */
  enum Kind {
    /**
     * Its requests can be computed again, as those of an informer can from its cache. The
     * controller warms it up once, starts it at the beginning of each term, when it adds the
     * requests for all objects that exist, and stops it at the end of the term.
     */
    REPLAYED,
    /**
     * It works only during a term, as a ticker does. The controller starts and stops it with each
     * term.
     */
    WHILE_OWNED,
    /**
     * Its requests cannot be computed again, as those of an {@link EventChannel} cannot. It runs
     * from the controller's start to its stop. Between terms, the controller keeps one request for
     * each key until the next term.
     */
    KEPT
  }

  /** Returns what the source does while the controller owns no keys. The default is KEPT. */
  default Kind kind() {
    return Kind.KEPT;
  }

  /**
   * Prepares a source of the kind {@link Kind#REPLAYED}, without adding requests. Typically, the
   * source fills its caches. The controller stops the warm-up when the controller stops.
   */
  default Running warmUp() {
    throw new UnsupportedOperationException(this + " can't be warmed up");
  }

  /** A started source. Implementations are thread-safe. */
  interface Running {

    /**
     * Returns whether the source has added the requests for all objects that existed when it
     * started.
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
     * Returns the loops that the controller's liveness check monitors while this source runs. The
     * check fails if a loop has stopped, or if its current iteration has taken 40 s. By default,
     * the list is empty.
     */
    default List<Loop> loops() {
      return List.of();
    }

    /**
     * Stops the source. The controller drops requests that the source adds after the call. This
     * method is idempotent.
     */
    void stop();
  }

  /**
   * Creates a source that reacts to changes to an informer's objects. The caller remains
   * responsible for stopping the informer.
   *
   * @param predicate selects the relevant changes
   * @param handler turns the selected changes into requests
   * @param resync the period after which the source delivers every object again, or zero for never
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
   * Creates a source that reacts to changes to the objects that an informer spec selects. All users
   * of an equal spec share one informer, which runs until its last user has stopped.
   *
   * @param informers the informers of the cluster to which the spec refers
   * @param predicate selects the relevant changes
   * @param handler turns the selected changes into requests
   * @param resync the period after which the source delivers every object again, or zero for never
   */
  static <T> InformerSource<T> informer(
      SharedInformerFactory informers,
      InformerSpec<T> spec,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync) {
    return new InformerSource<>(
        spec.type().resource() + spec.scope().selection(),
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
   * Creates a source for several namespaces. In all other respects, it behaves like {@link
   * #informer(SharedInformerFactory, InformerSpec, EventPredicate, EventHandler, Duration)}.
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
        spec.type().resource() + spec.scope().selection(),
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
   * Creates a source for a set of namespaces that can change at runtime. In all other respects, it
   * behaves like {@link #informer(SharedInformerFactory, InformerSpec, EventPredicate,
   * EventHandler, Duration)}.
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
            spec.type().resource() + spec.scope().selection(),
            spec.cluster(),
            () -> {
              MultiNamespaceInformer<T> informer =
                  informers.acquire(spec.inCluster(""), Set.<String>of()).withoutAwaitingDenied();
              return new Opened<>(informer, informers::start, informer::close);
            },
            predicate,
            handler,
            resync);
    return source.following(namespaces);
  }

  /**
   * Creates a source that updates a set so that it always contains the namespaces whose labels
   * match a selector. The source does not request reconciles.
   *
   * @param selector a label selector in the syntax of the API server
   * @param namespaces the set to update, which only this source may change
   * @throws IllegalArgumentException if the selector is invalid; the message quotes it
   */
  static Source namespaces(
      SharedInformerFactory informers, String selector, NamespaceSet namespaces) {
    return new NamespaceSource(informers, selector, namespaces);
  }

  /**
   * Creates a channel through which the program itself requests reconciles. Its buffer holds {@link
   * EventChannel#CAPACITY} messages.
   *
   * @param type the type of the objects that can be sent. The channel also accepts requests
   * @param options the options that supply the threads and the clock
   */
  static <T extends HasMetadata> EventChannel<T> channel(Class<T> type, InformerOptions options) {
    return channel(type, EventChannel.CAPACITY, options);
  }

  /**
   * Creates a channel whose buffer holds the given number of messages. In all other respects, it
   * behaves like {@link #channel(Class, InformerOptions)}.
   *
   * @throws IllegalArgumentException if the capacity is less than one
   */
  static <T extends HasMetadata> EventChannel<T> channel(
      Class<T> type, int capacity, InformerOptions options) {
    return new EventChannel<>(type, capacity, options);
  }

  /**
   * Creates a source that periodically obtains requests from a supplier. The source first calls the
   * supplier after one period, and skips ticks while a call is in progress. If the supplier throws
   * an exception, the source logs it, reports it through {@link Running#problem}, and calls the
   * supplier again after the next period.
   *
   * @param requests the supplier. The source calls it on a separate thread. A call can block, but
   *     if it takes more than 40 s, the controller's liveness check fails
   * @param options the options that supply the threads and the clock
   * @throws IllegalArgumentException if the period is not positive
   */
  static Source ticker(
      Duration period, Supplier<? extends Collection<Request>> requests, InformerOptions options) {
    return ticker(period, 0, requests, options);
  }

  /**
   * Creates a ticker that extends each period by a random fraction of the period. In all other
   * respects, it behaves like {@link #ticker(Duration, Supplier, InformerOptions)}.
   *
   * @param jitter the maximum fraction, from 0 to 1. The value 0 disables the extension; with the
   *     value 1, a period is at most twice as long
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
   * Creates a trigger. A controller that watches the trigger reconciles every object of its primary
   * type each time the program calls {@link ReconcileAll#trigger()}. To reconcile other objects,
   * use {@link ReconcileAll#over}.
   */
  static ReconcileAll all() {
    return new ReconcileAll();
  }
}
