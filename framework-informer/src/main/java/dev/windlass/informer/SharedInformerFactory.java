// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A factory of shared informers. All calls with the same {@link InformerSpec} return the same
 * informer, so that its users share one list and watch and one cache. A factory serves one API
 * server.
 *
 * <p>The factory keeps an informer that {@link #informer} has returned until the factory is shut
 * down. It keeps an informer that it has returned only through {@link #acquire} until the last
 * {@link InformerHandle} is closed.
 *
 * <p>All methods can be called from any thread.
 */
public final class SharedInformerFactory {

  /** Connects a factory to the API server. */
  @FunctionalInterface
  public interface Connector {

    /** Returns an object that lists and watches the given type in the given scope. */
    ListerWatcher connect(ResourceType type, WatchScope scope);
  }

  private static final class Shared {
    final SharedIndexInformer<?> informer;
    boolean started;
    int handles;

    /** Whether the informer was requested without a handle. Such an informer is never released. */
    boolean pinned;

    Shared(SharedIndexInformer<?> informer) {
      this.informer = informer;
    }

    void start() {
      if (!started) {
        informer.start();
        started = true;
      }
    }
  }

  private final Connector connector;
  private final WatchScope defaultScope;
  private final CachePolicy policy;
  private final InformerOptions options;
  private final Scheduler scheduler;
  private volatile Consumer<ResourceType> beforeEnd = type -> {};
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<InformerSpec<?>, Shared> informers = new LinkedHashMap<>();

  /** The informers by type, for reads without the lock. Each change replaces the map. */
  private volatile Map<ResourceType, List<SharedIndexInformer<?>>> byType = Map.of();

  /** The open informers that cover several namespaces. */
  private final List<MultiNamespaceInformer<?>> several = new CopyOnWriteArrayList<>();

  /** The informers that {@link #cache} has returned and that cover several namespaces. */
  @GuardedBy("lock")
  private final Map<InformerSpec<?>, MultiNamespaceInformer<?>> unions = new HashMap<>();

  /**
   * The loops of released informers that may still be running. They do not keep the caches in
   * memory after they have stopped.
   */
  @GuardedBy("lock")
  private final List<Loop> ending = new ArrayList<>();

  @GuardedBy("lock")
  private boolean started;

  @GuardedBy("lock")
  private boolean shutDown;

  /** Creates a factory without informers. The policy is {@link CachePolicy#EVERYTHING}. */
  public SharedInformerFactory(
      Connector connector, WatchScope defaultScope, InformerOptions options) {
    this(connector, defaultScope, CachePolicy.EVERYTHING, options);
  }

  /**
   * Creates a factory without informers.
   *
   * @param defaultScope the scope of informers that are requested without a scope
   * @param policy the policy that determines what is cached if only a type is specified
   * @throws IllegalArgumentException if a spec of the policy has a namespace outside the scope
   */
  public SharedInformerFactory(
      Connector connector, WatchScope defaultScope, CachePolicy policy, InformerOptions options) {
    policy.requireWithin(defaultScope);
    this.connector = connector;
    this.defaultScope = defaultScope;
    this.policy = policy;
    this.options = options;
    this.scheduler = options.scheduler();
  }

  /** Returns the scope of informers that are requested without a scope. */
  public WatchScope defaultScope() {
    return defaultScope;
  }

  /** Returns the policy that determines what is cached if only a type is specified. */
  public CachePolicy policy() {
    return policy;
  }

  /**
   * Returns the specs of the informers that serve a request for the given spec. If the given spec
   * specifies only a type and the policy has specs for this type, these specs are returned.
   * Otherwise, the given spec is returned, restricted to the default scope.
   *
   * @return one spec, or one spec for each of several namespaces
   */
  public <T> List<InformerSpec<T>> specs(InformerSpec<T> asked) {
    return policy.specs(asked, defaultScope);
  }

  /**
   * Returns the informer that the policy defines for a type. The first call creates the informer,
   * but does not start it.
   *
   * @throws IllegalStateException if the policy restricts the type to several namespaces, or if the
   *     type is never cached
   */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type) {
    List<InformerSpec<T>> specs = policy.required(InformerSpec.of(type), defaultScope);
    if (specs.size() > 1) {
      throw new IllegalStateException(
          "%s have a cache for each of the namespaces %s: use cache(Class), which combines them"
              .formatted(specs.get(0).type().resource(), namespacesOf(specs)));
    }
    return informer(specs.get(0));
  }

  /**
   * Returns the cache that the policy defines for a type. It covers one or several namespaces. The
   * first call creates the cache, but does not start it. The factory keeps the cache until the
   * factory is shut down.
   *
   * @throws IllegalStateException if the type is never cached
   */
  @SuppressWarnings("unchecked") // stored under a spec of that type
  public <T extends HasMetadata> Informer<T> cache(Class<T> type) {
    List<InformerSpec<T>> specs = policy.required(InformerSpec.of(type), defaultScope);
    if (specs.size() == 1) {
      return informer(specs.get(0));
    }
    InformerSpec<T> anywhere = specs.get(0).in(specs.get(0).scope().in(""));
    synchronized (lock) {
      if (unions.containsKey(anywhere)) {
        return (Informer<T>) unions.get(anywhere);
      }
    }
    MultiNamespaceInformer<T> made = acquire(anywhere, namespacesOf(specs)); // without the lock
    MultiNamespaceInformer<?> earlier;
    synchronized (lock) {
      earlier = unions.putIfAbsent(anywhere, made);
    }
    if (earlier == null) {
      return made;
    }
    made.close();
    return (Informer<T>) earlier;
  }

  private static <T> Set<String> namespacesOf(List<InformerSpec<T>> specs) {
    return specs.stream()
        .map(spec -> spec.scope().namespace())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the informer of a type in a scope. The first call creates it, but does not start it.
   */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, WatchScope scope) {
    return informer(InformerSpec.of(type).in(scope));
  }

  /** Returns the informer of a spec. The first call creates the informer, but does not start it. */
  public <T> SharedIndexInformer<T> informer(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = shared(spec);
      shared.pinned = true;
      return typed(shared);
    }
  }

  /**
   * Returns a handle for the informer of a spec. The first call creates the informer, but does not
   * start it.
   */
  public <T> InformerHandle<T> acquire(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = shared(spec);
      shared.handles++;
      return new Lease<>(spec, shared, typed(shared));
    }
  }

  /**
   * Creates an informer for several namespaces. Further namespaces can be added later. In each
   * namespace, all users of the same spec share one watch and one cache. If the factory has been
   * started, listing and watching a namespace starts as soon as the namespace is added.
   *
   * @param spec a spec without a namespace
   * @param namespaces the initial namespaces; the set can be empty
   * @throws IllegalArgumentException if the type is cluster-scoped, if the spec has a namespace, or
   *     if one of the names is not a valid namespace name
   */
  public <T> MultiNamespaceInformer<T> acquire(InformerSpec<T> spec, Set<String> namespaces) {
    MultiNamespaceInformer<T> informer = new MultiNamespaceInformer<>(this, spec);
    several.add(informer);
    boolean complete = false;
    try {
      namespaces.forEach(informer::addNamespace);
      complete = true;
    } finally {
      if (!complete) {
        informer.close();
      }
    }
    return informer;
  }

  @GuardedBy("lock")
  private Shared shared(InformerSpec<?> spec) {
    Shared known = informers.get(spec);
    if (known != null) {
      return known;
    }
    Shared made = make(spec);
    informers.put(spec, made);
    sort();
    return made;
  }

  @GuardedBy("lock")
  private void sort() {
    byType = InformersByType.of(informers());
  }

  private <T> Shared make(InformerSpec<T> spec) {
    ListerWatcher source = connector.connect(spec.type(), spec.scope());
    return new Shared(new SharedIndexInformer<>(spec, source, options));
  }

  @SuppressWarnings("unchecked") // stored under a spec of that type
  private static <T> SharedIndexInformer<T> typed(Shared shared) {
    return (SharedIndexInformer<T>) shared.informer;
  }

  private final class Lease<T> implements InformerHandle<T> {
    private final InformerSpec<T> spec;
    private final Shared shared;
    private final SharedIndexInformer<T> informer;

    @GuardedBy("lock")
    private boolean closed;

    Lease(InformerSpec<T> spec, Shared shared, SharedIndexInformer<T> informer) {
      this.spec = spec;
      this.shared = shared;
      this.informer = informer;
    }

    @Override
    public SharedIndexInformer<T> informer() {
      return informer;
    }

    @Override
    public void close() {
      beforeEnd.accept(spec.type()); // without the lock
      synchronized (lock) {
        if (closed) {
          return;
        }
        closed = true;
        shared.handles--;
        if (shared.handles > 0 || shared.pinned) {
          return;
        }
        informers.remove(spec);
        sort();
        ending.removeIf(loop -> !loop.isRunning());
        informer.askToStop();
        ending.addAll(informer.loopsLeft());
      }
    }
  }

  /**
   * Sets an action to perform before the use of an informer of a type ends, and with it perhaps the
   * informer, while its counts can still be read. It is called without a lock, so it may wait for a
   * thread that reads the informers.
   */
  public void beforeEnd(Consumer<ResourceType> action) {
    beforeEnd = action;
  }

  /**
   * Returns the informer that the policy defines for a type, or empty if it has not been requested.
   * If the policy defines several informers, this method checks only the first one.
   */
  public <T extends HasMetadata> Optional<SharedIndexInformer<T>> existing(Class<T> type) {
    return existing(specs(InformerSpec.of(type)).get(0));
  }

  /** Returns the informer of a spec, or empty if it has not been requested. */
  public <T> Optional<SharedIndexInformer<T>> existing(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = informers.get(spec);
      return shared == null ? Optional.empty() : Optional.of(typed(shared));
    }
  }

  /** Returns all informers in use, in the order in which they were first requested. */
  public List<SharedIndexInformer<?>> informers() {
    synchronized (lock) {
      List<SharedIndexInformer<?>> all = new ArrayList<>();
      informers.values().forEach(shared -> all.add(shared.informer));
      return all;
    }
  }

  /** Returns all informers of a type in their order of creation, without acquiring a lock. */
  public List<SharedIndexInformer<?>> informers(ResourceType type) {
    return byType.getOrDefault(type, List.of());
  }

  /**
   * Returns the namespaces to which this program is restricted for a type. If the policy restricts
   * the type to certain namespaces, returns them. Otherwise, if the type has an informer for
   * {@linkplain #acquire(InformerSpec, Set) several namespaces}, returns every namespace in which
   * the type is watched, or empty if one watch covers all namespaces. In all other cases, returns
   * the namespace of the default scope.
   *
   * @return the namespaces, or empty if the program is not restricted
   */
  public Optional<Set<String>> restriction(ResourceType type) {
    if (!type.namespaced()) {
      return Optional.empty();
    }
    Set<String> named = policy.namespaces(type);
    if (!named.isEmpty()) {
      return Optional.of(named);
    }
    if (several.stream().anyMatch(informer -> informer.type().equals(type))) {
      Set<String> watched = new TreeSet<>();
      informers(type).forEach(informer -> watched.add(informer.scope().namespace()));
      return watched.contains("") ? Optional.empty() : Optional.of(watched);
    }
    return Optional.of(defaultScope.namespace()).filter(one -> !one.isEmpty()).map(Set::of);
  }

  void closed(MultiNamespaceInformer<?> informer) {
    several.remove(informer);
  }

  /** Returns each informer's status, in the order of {@link #informers()}. */
  public List<InformerStatus> statuses() {
    List<InformerStatus> statuses = new ArrayList<>();
    informers().forEach(informer -> statuses.add(informer.status()));
    return statuses;
  }

  /**
   * Starts all informers that have not been started. Call this method again to start informers that
   * are requested later. Has no effect after {@link #shutDown}.
   */
  public void start() {
    synchronized (lock) {
      if (shutDown) {
        return;
      }
      started = true;
      informers.values().forEach(Shared::start);
    }
  }

  /** Does the same as {@link #start} if the factory has been started. Otherwise, does nothing. */
  public void startIfStarted() {
    synchronized (lock) {
      if (started) {
        start();
      }
    }
  }

  void startIfStarted(InformerSpec<?> spec) {
    synchronized (lock) {
      Shared shared = informers.get(spec);
      if (started && !shutDown && shared != null) {
        shared.start();
      }
    }
  }

  /**
   * Stops all informers, including released ones, and waits for their threads to terminate. If the
   * caller is interrupted, it still signals every informer to stop.
   *
   * @param limit the time limit for all informers together
   * @return whether all threads of the informers terminated within the limit
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean shutDown(Duration limit) throws InterruptedException {
    List<SharedIndexInformer<?>> all = new ArrayList<>();
    List<Loop> left;
    synchronized (lock) {
      shutDown = true;
      informers.values().forEach(shared -> all.add(shared.informer));
      left = List.copyOf(ending);
    }
    // All reflectors must stop first, because otherwise the other informers keep applying changes
    // while one informer is stopping.
    all.forEach(SharedIndexInformer::askReflectorToStop);
    Deadline deadline = Deadline.in(limit, scheduler);
    boolean ended = true;
    try {
      for (SharedIndexInformer<?> informer : all) {
        ended &= informer.stop(deadline.left());
      }
      for (Loop loop : left) {
        ended &= loop.join(deadline.left());
      }
    } finally {
      // This has an effect only if the caller was interrupted before all informers were stopped.
      all.forEach(SharedIndexInformer::askToStop);
    }
    return ended;
  }
}
