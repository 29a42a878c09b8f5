// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/** Takes the requests that one event leads to. */
record EventSink(PrioritySink sink, Priority priority, Cause cause) implements RequestSink {

  @Override
  public void add(Request request) {
    sink.add(request, priority, cause);
  }

  @Override
  public boolean isOpen() {
    return sink.isOpen();
  }
}
