// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is given. */
public final class RecordingSink implements PrioritySink {

  public record Added(Request request, Priority priority) {}

  public final List<Added> added = new CopyOnWriteArrayList<>();
  public final List<String> causes = new CopyOnWriteArrayList<>();

  @Override
  public void add(Request request, Priority priority) {
    added.add(new Added(request, priority));
  }

  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
    add(request, priority);
    causes.add(cause.toString());
  }

  public List<String> keys() {
    return added.stream().map(one -> one.request().toString()).toList();
  }
}
