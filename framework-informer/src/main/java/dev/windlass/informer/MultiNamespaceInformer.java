// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An {@link Informer} for several namespaces. Namespaces can be added and removed at any time. Each
 * namespace has its own list and watch, which all users of the same spec share. {@link
 * SharedInformerFactory#acquire(InformerSpec, Set)} creates instances.
 *
 * <ul>
 *   <li>A handler receives the events from all current and future namespaces, in order for each
 *       object, and on one thread at a time. A handler can itself add and remove namespaces. If a
 *       handler throws an exception, only the delivery of events from the same namespace pauses.
 *   <li>{@link #hasSynced()} returns true if all current namespaces have synced. If there are no
 *       namespaces, it also returns true. After a namespace is added, it returns false until that
 *       namespace has synced. The same applies to each registration, unless {@link
 *       #withoutAwaitingDenied()} excludes namespaces.
 *   <li>{@link #indexer()} contains the objects of all namespaces. Its indices also apply to
 *       namespaces that are added later. Other users of a namespace's cache share the indices. For
 *       this reason, {@code addIndex} rejects a function if another user has registered a different
 *       function under the same name.
 *   <li>When a namespace is removed, its objects disappear from {@link #indexer()}. Handlers
 *       receive no further events for these objects, not even deletion events. The objects still
 *       exist on the server, so a handler must not clean up after them as it would after a
 *       deletion. To discard in-memory state about these objects, list them before removing the
 *       namespace.
 * </ul>
 *
 * <p>All methods can be called from any thread, and never wait for a server or a handler.
 *
 * @param <T> the Java class of the objects
 */
public final class MultiNamespaceInformer<T> implements Informer<T>, AutoCloseable {

  private final SharedInformerFactory factory;
  private final InformerSpec<T> spec;
  private final MultiNamespaceIndexer<T> union = new MultiNamespaceIndexer<>();
  private final Lister<T> lister = new Lister<>(union);

  private final Object lock = new Object();

  /** The handle for each namespace in {@link #union}. */
  @GuardedBy("lock")
  private final Map<String, InformerHandle<T>> handles = new HashMap<>();

  @GuardedBy("lock")
  private final List<MultiNamespaceRegistration<T>> handlers = new ArrayList<>();

  /**
   * The number of handlers that have been added so far, including handlers that have been removed.
   */
  @GuardedBy("lock")
  private int numbers;

  @GuardedBy("lock")
  private boolean closed;

  private volatile boolean awaitsDenied = true;

  MultiNamespaceInformer(SharedInformerFactory factory, InformerSpec<T> spec) {
    if (!spec.type().namespaced()) {
      throw new IllegalArgumentException(
          spec.type()
              + " is cluster-scoped: its objects have no namespace. Use an informer for all"
              + " objects");
    }
    if (!spec.scope().namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "the spec of an informer for several namespaces must not name a namespace: "
              + spec
              + ". Use a spec for all namespaces.");
    }
    this.factory = factory;
    this.spec = spec;
  }

  /**
   * Lets registrations count as synced although the program lacks the permission to list a
   * namespace. Its handlers receive the objects as soon as the permission is granted.
   *
   * @return this informer
   */
  public MultiNamespaceInformer<T> withoutAwaitingDenied() {
    awaitsDenied = false;
    return this;
  }

  /**
   * Returns whether all namespaces have synced, except those that {@link #withoutAwaitingDenied()}
   * excludes.
   */
  public boolean hasSyncedAwaited() {
    return awaited().stream().allMatch(this::hasSynced);
  }

  private Set<String> awaited() {
    return union.members().entrySet().stream()
        .filter(member -> awaitsDenied || !isDenied(member.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isDenied(Informer<?> member) {
    return member
        .problem()
        .filter(failure -> failure.reason() == FeedFailure.Reason.FORBIDDEN)
        .isPresent();
  }

  /** Returns a snapshot of the namespaces, in alphabetical order. */
  public Set<String> namespaces() {
    return union.members().keySet();
  }

  /**
   * Adds a namespace, even if it does not exist on the server. If the factory has been started, the
   * informer lists and watches the namespace immediately. Otherwise, it does so when the factory
   * starts. If the namespace's cache already contains objects, this method calls this informer's
   * index functions for them.
   *
   * @return false if the namespace was already present
   * @throws IllegalArgumentException if the name is not a valid namespace name, or if the namespace
   *     already has a different index function with the same name; in both cases, the namespace is
   *     not added
   * @throws IllegalStateException if this informer is closed, or if it has handlers and the
   *     namespace's informer has been stopped
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
    InformerHandle<T> handle = factory.acquire(member);
    boolean added = false;
    try {
      added = join(namespace, handle);
    } finally {
      if (!added) {
        handle.close();
      }
    }
    if (added) {
      factory.startIfStarted(member);
    }
    return added;
  }

  private boolean join(String namespace, InformerHandle<T> handle) {
    while (true) {
      Map<String, IndexFunction<T>> prepared = union.prepare(handle.informer().indexer());
      synchronized (lock) {
        requireOpen();
        if (handles.containsKey(namespace)) {
          return false;
        }
        // The namespace must be readable before it is announced, so that a handler finds the
        // objects that it receives.
        if (union.join(namespace, handle.informer(), prepared)) {
          handles.put(namespace, handle);
          tellHandlers(namespace, handle.informer());
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
   * Removes a namespace. If the namespace's watch has no other users, it is stopped, but this
   * method does not wait until it has stopped. A handler call that is in progress continues.
   *
   * @return false if the namespace was not present
   */
  public boolean removeNamespace(String namespace) {
    Optional<InformerHandle<T>> handle;
    synchronized (lock) {
      handle = leave(namespace);
    }
    handle.ifPresent(InformerHandle::close);
    return handle.isPresent();
  }

  @GuardedBy("lock")
  private Optional<InformerHandle<T>> leave(String namespace) {
    handlers.forEach(handler -> handler.leave(namespace));
    union.leave(namespace);
    return Optional.ofNullable(handles.remove(namespace));
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
      MultiNamespaceRegistration<T> added =
          new MultiNamespaceRegistration<>(name, handler, resync, this::awaited, this::forget);
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

  private void forget(MultiNamespaceRegistration<T> handler) {
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
  public Optional<FeedFailure> problem() {
    return union.members().values().stream()
        .flatMap(informer -> informer.problem().stream())
        .findFirst();
  }

  @Override
  public List<InformerStatus> statuses() {
    return union.members().values().stream().map(SharedIndexInformer::status).toList();
  }

  /**
   * Removes all handlers and namespaces permanently. This method does not wait for threads. It is
   * idempotent.
   */
  @Override
  public void close() {
    List<MultiNamespaceRegistration<T>> ended;
    synchronized (lock) {
      closed = true;
      ended = List.copyOf(handlers);
    }
    ended.forEach(MultiNamespaceRegistration::remove);
    namespaces().forEach(this::removeNamespace);
    factory.closed(this);
  }

  @Override
  public String toString() {
    return "informers-" + type().resource() + " in " + namespaces();
  }
}
