// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.Priority;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Reconciles every object that a cache holds whenever somebody asks for it, as after a change of
 * the program's own settings. Made by {@link Source#all()}; a controller gets it as it is, as a
 * trigger for its primary type, or {@link #over} another cache.
 *
 * <p>It may belong to several controllers; each of them hears of a trigger. All methods may be
 * called from any thread.
 */
public final class ReconcileAll {

  private static final Cause CAUSE = new Cause("everything", Cause.What.ALL, null);

  private record Target(Gate gate, Supplier<? extends Indexer<?>> objects, String cluster) {

    int request() {
      Set<ObjectKey> keys = objects.get().keys();
      keys.forEach(key -> gate.add(new Request(cluster, key), Priority.LOW, CAUSE));
      return keys.size();
    }
  }

  private final List<Target> targets = new CopyOnWriteArrayList<>();

  ReconcileAll() {}

  /**
   * Asks each controller that runs for a reconcile of every object that its cache holds now, under
   * the low priority, so that changes overtake it. Objects that it does not hold yet are reconciled
   * when it hears of them. Does not wait for the reconciles. Without effect while no controller
   * runs, or while this replica does not lead: a start reconciles everything anyway.
   *
   * @return for how many reconciles it asked
   */
  public int trigger() {
    return targets.stream().mapToInt(Target::request).sum();
  }

  /**
   * The source of a controller.
   *
   * @param objects asked at each trigger for the cache, such as {@code source::indexer} of an
   *     {@link InformerSource}
   */
  public Source over(Supplier<? extends Indexer<?>> objects) {
    return over(objects, "");
  }

  /**
   * As {@link #over(Supplier)}, of objects in another cluster.
   *
   * @param cluster the name under which the manager has connected it
   */
  public Source over(Supplier<? extends Indexer<?>> objects, String cluster) {
    return new NamedSource(toString(), new Everything(objects, cluster));
  }

  private final class Everything implements Source {
    private final Supplier<? extends Indexer<?>> objects;
    private final String cluster;

    Everything(Supplier<? extends Indexer<?>> objects, String cluster) {
      this.objects = objects;
      this.cluster = cluster;
    }

    @Override
    public Running start(PrioritySink sink) {
      return ReconcileAll.this.start(new Target(new Gate(sink), objects, cluster));
    }

    /** A trigger means nothing to a replica that does not lead: its start reconciles everything. */
    @Override
    public Optional<Running> warmUp() {
      return Idle.UNTIL_STARTED;
    }
  }

  private Source.Running start(Target target) {
    targets.add(target);
    return new Source.Running() {
      @Override
      public boolean hasSynced() {
        return true;
      }

      @Override
      public void stop() {
        target.gate().close();
        targets.remove(target);
      }
    };
  }

  @Override
  public String toString() {
    return "the source of everything";
  }
}
