// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.simulation.SimulatedProcess;
import dev.windlass.testing.simulation.Simulation;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records an operator's writes and watch events, and injects one fault. This class is not
 * thread-safe.
 */
final class FaultInjection implements TransportHook {

  private final Simulation simulation;
  private final Fault fault;
  private final Trace trace;
  private final Consumer<Write> onWrite;
  private final IntSupplier reconciles;
  private @Nullable SimulatedProcess process;

  /**
   * The watch whose events are withheld; null if there is none. The field {@link #heldSince}
   * contains the number of reconciles at the start of the delay.
   */
  private @Nullable RecordedRequest held;

  private int heldSince;

  /** Whether the fault has been injected and its effect has ended. */
  private boolean over;

  /**
   * Creates an instance.
   *
   * @param onWrite receives each successful write, before a crash that the write triggers
   * @param reconciles returns the number of reconciles so far
   */
  FaultInjection(
      Simulation simulation,
      Fault fault,
      Trace trace,
      Consumer<Write> onWrite,
      IntSupplier reconciles) {
    this.simulation = simulation;
    this.fault = fault;
    this.trace = trace;
    this.onWrite = onWrite;
    this.reconciles = reconciles;
    this.over = fault instanceof Fault.None;
  }

  /** Sets the process to inject the fault into. */
  void affects(SimulatedProcess other) {
    process = other;
  }

  /** Returns whether the fault has been injected and its effect has ended. */
  boolean isOver() {
    return over;
  }

  @Override
  public void answered(RecordedRequest request, Answer answer) {
    if (!request.verb().isWrite() || !answer.isSuccess() || EndState.isRecord(request.resource())) {
      return;
    }
    Write write = Write.of(request, answer);
    int number = trace.writes().size();
    trace.wrote(write);
    onWrite.accept(write);
    SimulatedProcess current = process;
    if (fault instanceof Fault.Crash crash && crash.write() == number && current != null) {
      over = true;
      current.kill();
    }
  }

  @Override
  public boolean delivers(RecordedRequest watch, WatchedEvent event) {
    if (watch.equals(held)) {
      return false;
    }
    if (!event.isChange() || EndState.isRecord(watch.resource())) {
      return true;
    }
    if (!over && held == null && trace.events().size() == faultyEvent()) {
      held = watch;
      heldSince = reconciles.getAsInt();
      return false;
    }
    String object =
        event.namespace().isEmpty() ? event.name() : event.namespace() + "/" + event.name();
    trace.delivered(event.type().toLowerCase(Locale.ROOT) + " " + watch.resource() + " " + object);
    return true;
  }

  private int faultyEvent() {
    if (fault instanceof Fault.Late late) {
      return late.event();
    }
    return fault instanceof Fault.Lost lost ? lost.event() : -1;
  }

  /**
   * Ends the delay of a {@link Fault.Late} if a reconcile has ended since the delay began. The test
   * calls this method after each simulation step.
   */
  void stepped() {
    if (held != null && fault instanceof Fault.Late && reconciles.getAsInt() > heldSince) {
      release();
    }
  }

  /**
   * Ends the current delay. For a {@link Fault.Lost}, this method first compacts the server's
   * history and breaks the watches, so that the withheld events are lost. The simulation calls this
   * method when no work is due.
   */
  void idle() {
    if (held == null) {
      return;
    }
    if (fault instanceof Fault.Lost) {
      simulation.server().compact();
      current().transport().cutWatches();
    }
    release();
  }

  private void release() {
    held = null;
    over = true;
    current().transport().resume();
  }

  private SimulatedProcess current() {
    SimulatedProcess current = process;
    if (current == null) {
      throw new IllegalStateException("no process");
    }
    return current;
  }
}
