// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.Informer;
import java.time.Duration;
import java.util.Optional;

/** Something that asks for reconciles. A controller starts each of its sources once per run. */
@FunctionalInterface
public interface Source {

  /**
   * Begins to put requests into the sink, and returns at once.
   *
   * @param sink may be used by any thread until the source is stopped, and after that without
   *     effect
   */
  Running start(PrioritySink sink);

  /** A source that has been started. All methods may be called from any thread. */
  interface Running {

    /** Whether everything that there was at the start has led to its requests. */
    boolean hasSynced();

    /** Why it has not synced or is not up to date, in a sentence; empty if all is well. */
    default Optional<String> trouble() {
      return Optional.empty();
    }

    /** Ends the requests. Repeatable. */
    void stop();
  }

  /**
   * The changes of the objects that an informer copies.
   *
   * @param predicate decides which of them matter
   * @param handler turns those into requests
   * @param resync how often every object is shown again; zero for never
   * @param startInformer makes sure that the informer runs
   */
  static <T> Source informer(
      Informer<T> informer,
      Predicate<? super T> predicate,
      EventHandler<T> handler,
      Duration resync,
      Runnable startInformer) {
    return new InformerSource<>(informer, predicate, handler, resync, startInformer);
  }
}
