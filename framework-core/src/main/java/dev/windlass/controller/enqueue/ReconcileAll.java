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
 * A trigger that requests a reconcile of every object in a cache, for example after the program's
 * own settings have changed. {@link Source#all()} creates a trigger. To reconcile the objects of a
 * controller's primary type, pass the trigger to the controller. To use another cache, call {@link
 * #over}.
 *
 * <p>Several controllers can share a trigger. Firing the trigger affects all of them. This class is
 * thread-safe.
 */
public final class ReconcileAll {

  private static final RequestCause CAUSE =
      new RequestCause("everything", RequestCause.Kind.ALL, null);

  private record Target(PrioritySink sink, Supplier<? extends Indexer<?>> objects, String cluster) {

    int request() {
      Set<ObjectKey> keys = objects.get().keys();
      keys.forEach(key -> sink.add(new Request(cluster, key), Priority.LOW, CAUSE));
      return keys.size();
    }
  }

  private final List<Target> targets = new CopyOnWriteArrayList<>();

  ReconcileAll() {}

  /**
   * Requests a reconcile of every object in the caches of the running controllers. The requests
   * have low priority, so that controllers reconcile changes first. This method does not wait for
   * the reconciles.
   *
   * <p>The requests do not include an object that is not in the cache yet. A controller reconciles
   * such an object when it enters the cache. This method has no effect while no controller is
   * running or while this replica is not the leader. In these cases, a repetition is not necessary,
   * because a controller reconciles all objects when it starts.
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
   * Creates a source that behaves like {@link #over(Supplier)}, but for objects in another cluster.
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
      return ReconcileAll.this.start(new Target(sink, objects, cluster));
    }

    @Override
    public Kind kind() {
      return Kind.WHILE_OWNED;
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
        targets.remove(target);
      }
    };
  }

  @Override
  public String toString() {
    return "the source of everything";
  }
}
