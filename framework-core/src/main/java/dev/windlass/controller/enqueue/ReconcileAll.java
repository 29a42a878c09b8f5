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
 * A trigger that reconciles every object in a cache, for example after a change of the program's
 * own settings. Created by {@link Source#all()}. Pass it to a controller directly to trigger its
 * primary type, or {@link #over} another cache.
 *
 * <p>Several controllers may share it; a trigger reaches each of them. Thread safe.
 */
public final class ReconcileAll {

  private static final Cause CAUSE = new Cause("everything", Cause.Kind.ALL, null);

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
   * Requests a reconcile of every object that is now in the cache of each running controller. These
   * requests have low priority, so that changes overtake them. Objects not yet in the cache are
   * reconciled when they arrive. Does not wait for the reconciles. Has no effect while no
   * controller runs, or while this replica does not lead: a start reconciles everything anyway.
   *
   * @return the number of requested reconciles
   */
  public int trigger() {
    return targets.stream().mapToInt(Target::request).sum();
  }

  /**
   * Creates a source for a controller.
   *
   * @param objects supplies the cache at each trigger, such as {@code source::indexer} of an {@link
   *     InformerSource}
   */
  public Source over(Supplier<? extends Indexer<?>> objects) {
    return over(objects, "");
  }

  /**
   * Same as {@link #over(Supplier)}, for objects in another cluster.
   *
   * @param cluster the name under which the manager has connected the cluster
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

    /**
     * Prepares nothing: a trigger has no effect on a replica that does not lead, because its start
     * reconciles everything.
     */
    @Override
    public Optional<Running> warmUp() {
      return NoWarmUp.UNTIL_STARTED;
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
