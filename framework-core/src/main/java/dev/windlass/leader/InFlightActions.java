// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The actions that have passed a fence and are in progress. This class is thread-safe. */
final class InFlightActions {

  /** The actions in progress, each with the task that aborts it. */
  @GuardedBy("this")
  private final Map<Fence.Action, Runnable> underWay = new HashMap<>();

  @GuardedBy("this")
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  Fence.Action begin(Runnable cut) {
    Fence.Action action =
        new Fence.Action() {
          @Override
          public void ended() {
            end(this);
          }
        };
    synchronized (this) {
      underWay.put(action, cut);
    }
    return action;
  }

  private void end(Fence.Action action) {
    List<CompletableFuture<Void>> completed;
    synchronized (this) {
      underWay.remove(action);
      if (!underWay.isEmpty()) {
        return;
      }
      completed = List.copyOf(waiting);
      waiting.clear();
    }
    completed.forEach(future -> future.complete(null));
  }

  /** Aborts all actions that can be aborted. */
  void cut() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(underWay.values());
    }
    all.forEach(Runnable::run);
  }

  /** Returns a future that completes as soon as all actions in progress have completed. */
  synchronized CompletableFuture<Void> idle() {
    CompletableFuture<Void> idle = new CompletableFuture<>();
    if (underWay.isEmpty()) {
      idle.complete(null);
    } else {
      waiting.add(idle);
    }
    return idle;
  }
}
