// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.client.Conflicts;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.failure.ProgramFaults;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkQueueListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Records the metrics of a running controller, and forwards all calls to the user's listeners.
 * Labels never contain data from the reconciled objects.
 */
public final class MetricsListener implements ControllerListener, WorkQueueListener {

  private final Optional<MeterRegistry> registry;
  private final ControllerListener next;
  private final WorkQueueListener nextOfQueue;
  private final AtomicBoolean open = new AtomicBoolean();

  private volatile @Nullable ControllerMeters meters;

  /**
   * Creates a listener whose meters are not registered yet.
   *
   * @param registry the registry for the meters, or empty to record nothing
   * @param next the user's listener for reconcile outcomes
   * @param nextOfQueue the user's listener for work queue events
   */
  public MetricsListener(
      Optional<MeterRegistry> registry, ControllerListener next, WorkQueueListener nextOfQueue) {
    this.registry = registry;
    this.next = next;
    this.nextOfQueue = nextOfQueue;
  }

  /**
   * Registers the controller's meters. The counters start from zero. This method has no effect if
   * the meters are already registered.
   */
  public void open(ControllerConfig config, ControllerRun run) {
    if (registry.isPresent() && !open.getAndSet(true)) {
      meters = new ControllerMeters(registry.get(), config, run);
    }
  }

  /** Removes the controller's meters from the registry. Later events are not counted. */
  public void close() {
    ControllerMeters ending = meters;
    meters = null;
    if (ending != null) {
      ending.close();
      open.set(false);
    }
  }

  @Override
  public void reconciled(Request request, Outcome outcome, Duration took) {
    ControllerMeters now = meters;
    if (now != null) {
      Counter result = now.results.get(outcome);
      if (result != null) {
        result.increment();
      }
      now.time.record(took);
      if (outcome == Outcome.ERROR || outcome == Outcome.TERMINAL_ERROR) {
        now.errors.increment();
      }
      if (outcome == Outcome.TERMINAL_ERROR) {
        now.terminalErrors.increment();
      }
    }
    next.reconciled(request, outcome, took);
  }

  @Override
  public void failed(Request request, Throwable thrown) {
    ControllerMeters now = meters;
    if (now != null && Conflicts.isConflict(thrown)) {
      now.conflicts.increment();
    } else if (now != null && ProgramFaults.isPanic(thrown)) {
      now.panics.increment();
    }
    next.failed(request, thrown);
  }

  @Override
  public void timedOut(Request request) {
    ControllerMeters now = meters;
    if (now != null) {
      now.timeouts.increment();
    }
    next.timedOut(request);
  }

  @Override
  public void stuck(Request request, Duration elapsed) {
    next.stuck(request, elapsed);
  }

  @Override
  public void looping(Request request) {
    ControllerMeters now = meters;
    if (now != null) {
      now.loops.increment();
    }
    next.looping(request);
  }

  @Override
  public void ownEventIgnored(Request request) {
    ControllerMeters now = meters;
    if (now != null) {
      now.ownEventsIgnored.increment();
    }
    next.ownEventIgnored(request);
  }

  @Override
  public void added(Priority priority) {
    ControllerMeters now = meters;
    if (now != null) {
      now.adds.increment();
    }
    nextOfQueue.added(priority);
  }

  @Override
  public void taken(Priority priority, Duration waited) {
    ControllerMeters now = meters;
    if (now != null) {
      now.waited.record(waited);
    }
    nextOfQueue.taken(priority, waited);
  }

  @Override
  public void finished(Duration worked) {
    ControllerMeters now = meters;
    if (now != null) {
      now.worked.record(worked);
    }
    nextOfQueue.finished(worked);
  }

  @Override
  public void retried() {
    ControllerMeters now = meters;
    if (now != null) {
      now.retries.increment();
    }
    nextOfQueue.retried();
  }

  /**
   * Returns a name for log messages. This is the name of the user's listener, or {@code metrics} if
   * there is none.
   */
  @Override
  public String toString() {
    return next == ControllerListener.NONE ? "metrics" : next.toString();
  }
}
