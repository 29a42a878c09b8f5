// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.FeedFailure;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.index.Overlay;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An {@link Informer} of the objects of several namespaces, which may be added and removed at any
 * time. For each there is a list and a watch, shared with others who watch the same; got from
 * {@link SharedInformerFactory#acquire(InformerSpec, Set)}.
 *
 * <ul>
 *   <li>A handler hears of each namespace that there is or will be, as if it had been added to one
 *       informer: of one object in order, by one thread at a time. It may add and remove namespaces
 *       itself. After a failure only the namespace that it failed on rests.
 *   <li>{@link #hasSynced()}, here and of a handler, is that of all namespaces: false from the
 *       moment in which one is added until that has synced. Without a namespace it is true.
 *   <li>{@link #indexer()} shows the objects of all namespaces, and its indices are there in those
 *       that are added later. They are shared, too: a function of its own under a name that others
 *       use in one of the namespaces is refused.
 *   <li>A namespace that is removed leaves {@link #indexer()} with its objects. Handlers hear
 *       nothing more of them, and no deletions: the objects still exist, and who cleans up after
 *       what was deleted must not do so because nobody looks any more. Who wants to forget them
 *       lists them before.
 * </ul>
 *
 * <p>All methods may be called from any thread, and none waits for a server or a handler.
 *
 * @param <T> the typed class of the objects
 */
public final class MultiNamespaceInformer<T> implements Informer<T>, AutoCloseable {

  private final SharedInformerFactory factory;
  private final InformerSpec<T> spec;
  private final UnionIndexer<T> union = new UnionIndexer<>();
  private final Lister<T> lister = new Lister<>(union);

  private final Object lock = new Object();

  /** One for each namespace of {@link #union}. */
  @GuardedBy("lock")
  private final Map<String, InformerLease<T>> leases = new HashMap<>();

  @GuardedBy("lock")
  private final List<UnionRegistration<T>> handlers = new ArrayList<>();

  /** How many handlers there have been. */
  @GuardedBy("lock")
  private int numbers;

  @GuardedBy("lock")
  private boolean closed;

  MultiNamespaceInformer(SharedInformerFactory factory, InformerSpec<T> spec) {
    if (!spec.type().namespaced()) {
      throw new IllegalArgumentException(
          spec.type()
              + " is cluster-scoped: its objects are in no namespace. Use an informer of"
              + " all of them");
    }
    if (!spec.scope().namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "an informer of several namespaces, of "
              + spec
              + ": that names one already. Use a spec"
              + " of all namespaces");
    }
    this.factory = factory;
    this.spec = spec;
  }

  /** Those that it copies, in alphabetical order; a snapshot. */
  public Set<String> namespaces() {
    return union.members().keySet();
  }

  /**
   * Adds a namespace, whether it exists on the server or not. It is listed and watched at once if
   * the factory has been started, and else when that is. Asks the functions of the indices.
   *
   * @return false if it was there already
   * @throws IllegalArgumentException if it can't be the name of a namespace, or if an index is
   *     refused there; then the namespace was not added
   * @throws IllegalStateException if this was closed; or if there are handlers, and somebody has
   *     stopped the informer of the namespace
   */
  public boolean addNamespace(String namespace) {
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty name stands for all namespaces, and can't be one of several");
    }
    InformerSpec<T> member = spec.in(spec.scope().in(namespace));
    if (namespaces().contains(namespace)) {
      return false;
    }
    InformerLease<T> lease = factory.acquire(member);
    boolean added = false;
    try {
      added = join(namespace, lease);
    } finally {
      if (!added) {
        lease.close();
      }
    }
    if (added) {
      factory.startIfStarted(member);
    }
    return added;
  }

  private boolean join(String namespace, InformerLease<T> lease) {
    while (true) {
      Map<String, IndexFunction<T>> prepared = union.prepare(lease.informer().indexer());
      synchronized (lock) {
        requireOpen();
        if (leases.containsKey(namespace)) {
          return false;
        }
        // First to be read, then to be heard of: a handler finds what it hears of.
        if (union.join(namespace, lease.informer(), prepared)) {
          leases.put(namespace, lease);
          tellHandlers(namespace, lease.informer());
          return true;
        }
      }
    }
  }

  @GuardedBy("lock")
  private void tellHandlers(String namespace, Informer<T> informer) {
    boolean all = false;
    try {
      handlers.forEach(handler -> handler.join(namespace, informer));
      all = true;
    } finally {
      if (!all) {
        leave(namespace);
      }
    }
  }

  /**
   * Removes a namespace. The watch ends if nobody else uses it; nobody waits for that. A call of a
   * handler that is running goes on.
   *
   * @return false if it was not there
   */
  public boolean removeNamespace(String namespace) {
    Optional<InformerLease<T>> lease;
    synchronized (lock) {
      lease = leave(namespace);
    }
    lease.ifPresent(InformerLease::close);
    return lease.isPresent();
  }

  @GuardedBy("lock")
  private Optional<InformerLease<T>> leave(String namespace) {
    handlers.forEach(handler -> handler.leave(namespace));
    union.leave(namespace);
    return Optional.ofNullable(leases.remove(namespace));
  }

  @Override
  public ResourceType type() {
    return spec.type();
  }

  @Override
  public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync) {
    synchronized (lock) {
      requireOpen();
      String name = "informers-" + type().resource() + "-handler-" + ++numbers;
      UnionRegistration<T> added =
          new UnionRegistration<>(name, handler, resync, this::namespaces, this::forget);
      boolean complete = false;
      try {
        union.members().forEach(added::join);
        handlers.add(added);
        complete = true;
      } finally {
        if (!complete) {
          added.remove();
        }
      }
      return added;
    }
  }

  private void forget(UnionRegistration<T> handler) {
    synchronized (lock) {
      handlers.remove(handler);
    }
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " was closed");
    }
  }

  @Override
  public Indexer<T> indexer() {
    return union;
  }

  @Override
  public Optional<Overlay<T>> overlay(ObjectKey key) {
    return Optional.ofNullable(union.members().get(key.namespace()))
        .map(SharedIndexInformer::overlay);
  }

  @Override
  public List<Overlay<T>> overlays(String namespace) {
    return namespace.isEmpty()
        ? union.members().values().stream().map(SharedIndexInformer::overlay).toList()
        : Informer.super.overlays(namespace);
  }

  @Override
  public Lister<T> lister() {
    return lister;
  }

  @Override
  public boolean hasSynced() {
    return union.members().values().stream().allMatch(Informer::hasSynced);
  }

  @Override
  public boolean hasSynced(String namespace) {
    SharedIndexInformer<T> member = union.members().get(namespace);
    return namespace.isEmpty() ? hasSynced() : member != null && member.hasSynced();
  }

  @Override
  public Optional<FeedFailure> trouble() {
    return union.members().values().stream()
        .flatMap(informer -> informer.trouble().stream())
        .findFirst();
  }

  @Override
  public List<InformerStatus> statuses() {
    return union.members().values().stream().map(SharedIndexInformer::status).toList();
  }

  /** Removes all handlers and all namespaces, for good. Does not wait for threads. Repeatable. */
  @Override
  public void close() {
    List<UnionRegistration<T>> ended;
    synchronized (lock) {
      closed = true;
      ended = List.copyOf(handlers);
    }
    ended.forEach(UnionRegistration::remove);
    namespaces().forEach(this::removeNamespace);
    factory.closed(this);
  }

  @Override
  public String toString() {
    return "informers-" + type().resource() + " in " + namespaces();
  }
}
