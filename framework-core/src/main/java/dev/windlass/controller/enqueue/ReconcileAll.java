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
 * A trigger that requests a reconcile of every object in a cache, for example after the program's
 * own settings have changed. {@link Source#all()} creates triggers. Pass a trigger directly to a
 * controller to reconcile its primary type, or call {@link #over} to use another cache.
 *
 * <p>Several controllers can share a trigger, which then affects all of them. This class is
 * thread-safe.
 */
public final class ReconcileAll {

  private static final RequestCause CAUSE =
      new RequestCause("everything", RequestCause.Kind.ALL, null);

  private record Target(RequestGate gate, Supplier<? extends Indexer<?>> objects, String cluster) {

    int request() {
      Set<ObjectKey> keys = objects.get().keys();
      keys.forEach(key -> gate.add(new Request(cluster, key), Priority.LOW, CAUSE));
      return keys.size();
    }
  }

  private final List<Target> targets = new CopyOnWriteArrayList<>();

  ReconcileAll() {}

  /**
   * Requests a reconcile of every object that is currently in the cache of each running controller.
   * The requests have low priority, so that controllers reconcile changes first. Controllers
   * reconcile objects that are not in the cache yet when these objects arrive. This method does not
   * wait for the reconciles. It has no effect while no controller is running or while this replica
   * is not the leader, because a controller reconciles all objects when it starts.
   *
   * @return the number of requested reconciles
   */
  public int trigger() {
    return targets.stream().mapToInt(Target::request).sum();
  }

  /**
   * Creates a source that requests a reconcile of every object in the given cache when this trigger
   * fires.
   *
   * @param objects supplies the cache each time the trigger fires, such as {@code source::indexer}
   *     for an {@link InformerSource}
   */
  public Source over(Supplier<? extends Indexer<?>> objects) {
    return over(objects, "");
  }

  /**
   * Behaves like {@link #over(Supplier)}, but for objects in another cluster.
   *
   * @param cluster the cluster's name as registered with the manager
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
      return ReconcileAll.this.start(new Target(new RequestGate(sink), objects, cluster));
    }

    /**
     * Does nothing. A trigger has no effect on a replica that is not the leader, because the
     * controller reconciles all objects when it starts.
     */
    @Override
    public Optional<Running> warmUp() {
      return NoOpWarmUp.UNTIL_STARTED;
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
