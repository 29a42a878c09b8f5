// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A source that periodically obtains requests from a supplier. */
final class Ticker implements Source {

  private static final Logger log = LoggerFactory.getLogger(Source.class);

  private final Duration period;
  private final double jitter;
  private final Supplier<? extends Collection<Request>> requests;
  private final InformerOptions options;
  private final Scheduler scheduler;

  Ticker(
      Duration period,
      double jitter,
      Supplier<? extends Collection<Request>> requests,
      InformerOptions options) {
    if (period.isZero() || period.isNegative()) {
      throw new IllegalArgumentException(
          "a ticker's period must be more than zero: " + DurationText.of(period));
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("the jitter must be between 0 and 1, not " + jitter);
    }
    this.period = period;
    this.jitter = jitter;
    this.requests = requests;
    this.options = options;
    this.scheduler = options.scheduler();
  }

  @Override
  public Running start(PrioritySink sink) {
    Run run = new Run(sink);
    run.loop.start();
    return run;
  }

  @Override
  public Kind kind() {
    return Kind.WHILE_OWNED;
  }

  /** Creates a run without starting its loop, for tests. */
  Run run(PrioritySink sink) {
    return new Run(sink);
  }

  @Override
  public String toString() {
    return "the ticker every " + DurationText.of(period);
  }

  final class Run implements Running, LoopStep {
    private final RequestCause cause =
        new RequestCause(Ticker.this.toString(), RequestCause.Kind.TICKED, null);
    private final PrioritySink sink;
    private final Loop loop;
    private long next;
    private volatile @Nullable Throwable failure;

    private Run(PrioritySink sink) {
      this.sink = sink;
      loop = new Loop("ticker-" + period, this, scheduler, options.threads());
      next = scheduler.nanoTime() + interval();
    }

    private long interval() {
      double factor = jitter == 0 ? 1 : 1 + jitter * options.random().nextDouble();
      return (long) (Scheduler.saturatedNanos(period) * factor);
    }

    @Override
    public StepDelay run() {
      long now = scheduler.nanoTime();
      if (now - next >= 0) {
        tick();
        next += interval();
        if (scheduler.nanoTime() - next >= 0) {
          next = scheduler.nanoTime() + interval(); // missed ticks are skipped
        }
      }
      return StepDelay.of(Duration.ofNanos(next - scheduler.nanoTime()));
    }

    private void tick() {
      if (!sink.isOpen()) {
        return;
      }
      try {
        Collection<Request> ticked = requests.get();
        if (ticked == null || ticked.stream().anyMatch(Objects::isNull)) {
          throw new IllegalStateException(
              "the supplier of "
                  + Ticker.this
                  + " returned null, or a null request; it must return a list, empty for none");
        }
        for (Request request : List.copyOf(ticked)) {
          sink.add(request, Priority.NORMAL, cause);
        }
        failure = null;
      } catch (Exception | Error e) { // a failed tick must not affect later ticks
        FatalErrors.rethrow(e);
        log.error("{} failed; retrying at the next tick", Ticker.this, OneLine.of(e));
        failure = e;
      }
    }

    /** Returns true because a ticker has no initial state. */
    @Override
    public boolean hasSynced() {
      return true;
    }

    @Override
    public Optional<String> problem() {
      return Optional.ofNullable(failure).map(cause -> Ticker.this + " failed: " + cause);
    }

    @Override
    public List<Loop> loops() {
      return List.of(loop);
    }

    @Override
    public void stop() {
      loop.stop();
    }
  }
}
