// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.Priority;

/**
 * Receives the requests that result from one event.
 *
 * @param cluster the cluster of the event, or empty for the program's own cluster
 */
record EventRequestSink(PrioritySink sink, Priority priority, RequestCause cause, String cluster)
    implements RequestSink {

  @Override
  public void add(Request request) {
    sink.add(request, priority, cause);
  }

  @Override
  public void add(ObjectKey key) {
    add(new Request(cluster, key));
  }

  @Override
  public boolean isOpen() {
    return sink.isOpen();
  }
}
