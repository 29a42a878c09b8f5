// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.Cause;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/** Puts requests into the queue of a run, and their reasons beside it. */
final class QueueSink implements PrioritySink {

  private final RunState run;

  QueueSink(RunState run) {
    this.run = run;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, Cause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, Cause cause) {
    run.reasons().add(request, cause); // before, or it might be taken without
    run.queue().add(request, priority);
  }

  /** A stop says so before it shuts the queue down. */
  @Override
  public boolean isOpen() {
    return !run.isStopping();
  }
}
