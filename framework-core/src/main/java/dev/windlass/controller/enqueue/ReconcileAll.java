// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.Priority;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Reconciles every object that a cache holds whenever somebody asks for it, as after a change of
 * the program's own settings. Made by {@link Source#all}.
 *
 * <p>It may belong to several controllers; each of them hears of a trigger. All methods may be
 * called from any thread.
 */
public final class ReconcileAll implements Source {

  private static final Cause CAUSE = new Cause("everything", Cause.What.ALL, null);

  private final Supplier<? extends Indexer<?>> objects;
  private final List<Gate> gates = new CopyOnWriteArrayList<>();

  ReconcileAll(Supplier<? extends Indexer<?>> objects) {
    this.objects = objects;
  }

  /**
   * Asks for a reconcile of every object that the cache holds now, under the low priority, so that
   * changes overtake it. Objects that it does not hold yet are reconciled when it hears of them.
   * Does not wait for the reconciles. Without effect while no controller runs: a start reconciles
   * everything anyway.
   *
   * @return how many objects there are
   */
  public int trigger() {
    Set<ObjectKey> keys = objects.get().keys();
    for (Gate gate : gates) {
      keys.forEach(key -> gate.add(new Request(key), Priority.LOW, CAUSE));
    }
    return keys.size();
  }

  @Override
  public Running start(PrioritySink sink) {
    Gate gate = new Gate(sink);
    gates.add(gate);
    return new Running() {
      @Override
      public boolean hasSynced() {
        return true;
      }

      @Override
      public void stop() {
        gate.close();
        gates.remove(gate);
      }
    };
  }

  @Override
  public String toString() {
    return "the source of everything";
  }
}
