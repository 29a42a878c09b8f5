// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The passages through a fence that are in progress. This class is thread-safe. */
final class InFlightPassages {

  /** The passages in progress, each with the action that cuts it. */
  @GuardedBy("this")
  private final Map<Fence.Passage, Runnable> underWay = new HashMap<>();

  @GuardedBy("this")
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  Fence.Passage begin(Runnable cut) {
    Fence.Passage passage =
        new Fence.Passage() {
          @Override
          public void ended() {
            end(this);
          }
        };
    synchronized (this) {
      underWay.put(passage, cut);
    }
    return passage;
  }

  private void end(Fence.Passage passage) {
    List<CompletableFuture<Void>> completed;
    synchronized (this) {
      underWay.remove(passage);
      if (!underWay.isEmpty()) {
        return;
      }
      completed = List.copyOf(waiting);
      waiting.clear();
    }
    completed.forEach(future -> future.complete(null));
  }

  /** Cuts all passages that support it. */
  void cut() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(underWay.values());
    }
    all.forEach(Runnable::run);
  }

  /** Returns a future that completes as soon as no passage is in progress. */
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
