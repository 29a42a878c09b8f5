// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.sources;

import dev.windlass.controller.enqueue.Cause;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.RunState;
import dev.windlass.workqueue.Priority;

/**
 * Passes requests to a run: to its queue or, until the replica leads, to the requests kept for
 * then.
 */
public final class QueueSink implements PrioritySink {

  private final RunState run;

  public QueueSink(RunState run) {
    this.run = run;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, Cause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, Cause cause) {
    run.standby().add(request, priority, cause);
  }

  /** Returns whether no stop has begun, which is recorded before the queue is shut down. */
  @Override
  public boolean isOpen() {
    return !run.isStopping();
  }
}
