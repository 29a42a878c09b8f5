// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
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
import java.util.stream.Collectors;

/**
 * Makes one informer per {@link InformerSpec} (type, namespace, selectors, projection, transform),
 * however often it is asked for, so that all who watch the same share one connection and one copy.
 * One factory is for one API server.
 *
 * <p>An informer that was got from {@link #informer} stays until the factory is shut down; one that
 * was got from {@link #acquire} until the last {@link InformerLease} on it is closed.
 *
 * <p>All methods may be called from any thread.
 */
public final class SharedInformerFactory {

  /** How a factory reaches the API server. */
  @FunctionalInterface
  public interface Connector {

    /** Lists and watches of a type. */
    ListerWatcher connect(ResourceType type, WatchScope scope);
  }

  /** An informer with those who use it. */
  private static final class Shared {
    final SharedIndexInformer<?> informer;
    boolean started;
    int leases;

    /** Whether somebody may hold it who never gives it up. */
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
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<InformerSpec<?>, Shared> informers = new LinkedHashMap<>();

  /** The same by type, for readers without the lock; replaced as a whole. */
  private volatile Map<ResourceType, List<SharedIndexInformer<?>>> byType = Map.of();

  /** Those of several namespaces that are not closed. */
  private final List<MultiNamespaceInformer<?>> several = new CopyOnWriteArrayList<>();

  /** Those of them that {@link #cache} has handed out. */
  @GuardedBy("lock")
  private final Map<InformerSpec<?>, MultiNamespaceInformer<?>> unions = new HashMap<>();

  /**
   * What may be left of those whose last lease was closed. A loop that has ended holds nothing, so
   * neither it nor this list keeps their copies in memory.
   */
  @GuardedBy("lock")
  private final List<Loop> ending = new ArrayList<>();

  @GuardedBy("lock")
  private boolean started;

  @GuardedBy("lock")
  private boolean shutDown;

  /**
   * A factory without informers.
   *
   * @param defaultScope of informers that are asked for without one
   */
  public SharedInformerFactory(
      Connector connector, WatchScope defaultScope, InformerOptions options) {
    this(connector, defaultScope, CachePolicy.EVERYTHING, options);
  }

  /**
   * A factory without informers.
   *
   * @param defaultScope of informers that are asked for without one
   * @param policy what is cached of a type of which nothing else is named
   * @throws IllegalArgumentException if the policy has caches outside of the scope
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

  /** The scope of informers that are asked for without one. */
  public WatchScope defaultScope() {
    return defaultScope;
  }

  /** What is cached of a type of which nothing else is named. */
  public CachePolicy policy() {
    return policy;
  }

  /**
   * What is watched for a spec: the spec itself in the default scope, or what the policy says if it
   * names nothing but its type.
   *
   * @return one, or one for each of several namespaces
   */
  public <T> List<InformerSpec<T>> specs(InformerSpec<T> asked) {
    return policy.specs(asked, defaultScope);
  }

  /**
   * The informer of a type as the policy says; made, but not started, when first asked for.
   *
   * @throws IllegalStateException if the policy restricts the type to several namespaces, or if it
   *     is never cached
   */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type) {
    List<InformerSpec<T>> specs = policy.required(InformerSpec.of(type), defaultScope);
    if (specs.size() > 1) {
      throw new IllegalStateException(
          "%s have a cache for each of the namespaces %s: use cache(Class), which shows them as one"
              .formatted(specs.get(0).type().resource(), namespacesOf(specs)));
    }
    return informer(specs.get(0));
  }

  /**
   * The cache of a type as the policy says, of one or several namespaces, until the factory is shut
   * down; made, but not started, when first asked for.
   *
   * @throws IllegalStateException if the type is never cached
   */
  @SuppressWarnings("unchecked") // it was put under a spec of that type
  public <T extends HasMetadata> Informer<T> cache(Class<T> type) {
    List<InformerSpec<T>> specs = policy.required(InformerSpec.of(type), defaultScope);
    if (specs.size() == 1) {
      return informer(specs.get(0));
    }
    InformerSpec<T> anywhere = specs.get(0).in(specs.get(0).scope().in(""));
    synchronized (lock) {
      return (Informer<T>)
          unions.computeIfAbsent(anywhere, spec -> acquire(anywhere, namespacesOf(specs)));
    }
  }

  private static <T> Set<String> namespacesOf(List<InformerSpec<T>> specs) {
    return specs.stream()
        .map(spec -> spec.scope().namespace())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The informer of a type in a scope; made, but not started, when first asked for. */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, WatchScope scope) {
    return informer(InformerSpec.of(type).in(scope));
  }

  /** The informer of a spec; made, but not started, when first asked for. */
  public <T> SharedIndexInformer<T> informer(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = shared(spec);
      shared.pinned = true;
      return typed(shared);
    }
  }

  /**
   * The informer of a spec, for as long as the lease is not closed; made, but not started, when
   * first asked for.
   */
  public <T> InformerLease<T> acquire(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = shared(spec);
      shared.leases++;
      return new Lease<>(spec, shared, typed(shared));
    }
  }

  /**
   * An informer of some namespaces, to which others may be added later. Those who ask for the same
   * spec in one of these namespaces share its watch and its copy. In a factory that has been
   * started, each namespace is started as soon as it is added.
   *
   * @param spec without a namespace of its own
   * @param namespaces may be empty, if others follow
   * @throws IllegalArgumentException if the type is cluster-scoped, if the spec has a namespace, or
   *     if one of the names can't be a namespace's
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
    Map<ResourceType, List<SharedIndexInformer<?>>> sorted = new HashMap<>();
    for (Shared shared : informers.values()) {
      sorted
          .computeIfAbsent(shared.informer.type(), type -> new ArrayList<>())
          .add(shared.informer);
    }
    byType = sorted;
  }

  private <T> Shared make(InformerSpec<T> spec) {
    ListerWatcher source = connector.connect(spec.type(), spec.scope());
    return new Shared(new SharedIndexInformer<>(spec, source, options));
  }

  @SuppressWarnings("unchecked") // it was found under a spec of that type
  private static <T> SharedIndexInformer<T> typed(Shared shared) {
    return (SharedIndexInformer<T>) shared.informer;
  }

  private final class Lease<T> implements InformerLease<T> {
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
      synchronized (lock) {
        if (closed) {
          return;
        }
        closed = true;
        shared.leases--;
        if (shared.leases > 0 || shared.pinned) {
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

  /** The informer of a type as the policy says, if somebody has asked for it; one of several. */
  public <T extends HasMetadata> Optional<SharedIndexInformer<T>> existing(Class<T> type) {
    return existing(specs(InformerSpec.of(type)).get(0));
  }

  /** The informer of a spec, if somebody has asked for it. */
  public <T> Optional<SharedIndexInformer<T>> existing(InformerSpec<T> spec) {
    synchronized (lock) {
      Shared shared = informers.get(spec);
      return shared == null ? Optional.empty() : Optional.of(typed(shared));
    }
  }

  /** All informers that are in use, in the order in which they were first asked for. */
  public List<SharedIndexInformer<?>> informers() {
    synchronized (lock) {
      List<SharedIndexInformer<?>> all = new ArrayList<>();
      informers.values().forEach(shared -> all.add(shared.informer));
      return all;
    }
  }

  /** Those of a type, in the same order. Takes no lock. */
  public List<SharedIndexInformer<?>> informers(ResourceType type) {
    return byType.getOrDefault(type, List.of());
  }

  /**
   * The namespaces to which this program is restricted for a type: those that the policy names; or
   * else those in which it watches, if some of that is {@linkplain #acquire(InformerSpec, Set) of
   * several namespaces} and none of all; or else that of the default scope.
   *
   * @return empty if the program is not restricted
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

  /** An informer of several namespaces was closed. */
  void closed(MultiNamespaceInformer<?> informer) {
    several.remove(informer);
  }

  /** How each of them is, in the same order. */
  public List<InformerStatus> statuses() {
    List<InformerStatus> statuses = new ArrayList<>();
    informers().forEach(informer -> statuses.add(informer.status()));
    return statuses;
  }

  /**
   * Starts those informers that have not been started. May be called again after others were asked
   * for; does nothing after {@link #shutDown} (001-21).
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

  /** Starts those that have not been started, unless all of them are still to be started. */
  public void startIfStarted() {
    synchronized (lock) {
      if (started) {
        start();
      }
    }
  }

  /** Starts the informer of a spec, unless all of them are still to be started. */
  void startIfStarted(InformerSpec<?> spec) {
    synchronized (lock) {
      Shared shared = informers.get(spec);
      if (started && !shutDown && shared != null) {
        shared.start();
      }
    }
  }

  /**
   * Stops all informers, and waits for those that have been given up, too. All are asked to end,
   * even if the caller is interrupted.
   *
   * @param limit for all of them together
   * @return whether all their threads ended in time
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public boolean shutDown(Duration limit) throws InterruptedException {
    List<SharedIndexInformer<?>> all = new ArrayList<>();
    List<Loop> left;
    synchronized (lock) {
      shutDown = true;
      informers.values().forEach(shared -> all.add(shared.informer));
      left = List.copyOf(ending);
    }
    // First of all no more changes: while one informer ends, the others would go on taking them in.
    all.forEach(SharedIndexInformer::askReflectorToStop);
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    boolean ended = true;
    try {
      for (SharedIndexInformer<?> informer : all) {
        ended &= informer.stop(until(deadline));
      }
      for (Loop loop : left) {
        ended &= loop.join(until(deadline));
      }
    } finally {
      // Without effect, unless the caller was interrupted before all of them had been stopped.
      all.forEach(SharedIndexInformer::askToStop);
    }
    return ended;
  }

  private Duration until(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
  }
}
