// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.Informer;
import dev.windlass.informer.MultiNamespaceInformer;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A source that reacts to changes to an informer's objects. {@link Source#informer} creates
 * instances.
 *
 * <p>The source uses the informer only while the source is warm or started. Each start delivers
 * every object to the handler again, and begins with a handler without memory.
 *
 * @param <T> the Java type of the objects
 */
public final class InformerSource<T> implements Source {

  @FunctionalInterface
  interface Access<T> {
    Opened<T> open();
  }

  /**
   * An informer that a source is using.
   *
   * @param informer the informer
   * @param start ensures that the informer runs
   * @param close releases the informer
   */
  record Opened<T>(Informer<T> informer, Runnable start, Runnable close) {}

  private final String watched;
  private final String cluster;
  private final Access<T> access;
  private final EventPredicate<? super T> predicate;
  private final EventHandler<? super T> handler;
  private final Duration resync;
  private final Indexer<T> nothing = Store.create();
  private final Map<String, IndexFunction<T>> indices = new ConcurrentHashMap<>();

  /** The set of namespaces that the source follows, or null if the namespaces are fixed. */
  private @Nullable NamespaceSet namespaces;

  /**
   * The runs that have not stopped. There can be two runs while one stops and the next one starts.
   */
  @GuardedBy("this")
  private final List<Run> runs = new ArrayList<>(1);

  /** The informer of the latest run, or null while the source does not run. */
  private volatile @Nullable Opened<T> current;

  /**
   * Creates a source without starting it.
   *
   * @param watched the name of the watched resource
   * @param cluster the resource's cluster, or empty for the program's own cluster
   */
  InformerSource(
      String watched,
      String cluster,
      Access<T> access,
      EventPredicate<? super T> predicate,
      EventHandler<? super T> handler,
      Duration resync) {
    this.watched = watched;
    this.cluster = cluster;
    this.access = access;
    this.predicate = predicate;
    this.handler = handler;
    this.resync = resync;
  }

  /**
   * Adds an index to the informer's cache whenever the source starts. Call this method before the
   * first start.
   *
   * @param index the index name, which must be unique within the cache
   * @return this source
   */
  public InformerSource<T> indexedBy(String index, IndexFunction<T> function) {
    indices.put(index, function);
    nothing.addIndex(index, function);
    return this;
  }

  /**
   * Makes the informer watch the namespaces in the given set, including later changes. The informer
   * must be a {@link MultiNamespaceInformer}. Call this method before the first start.
   */
  InformerSource<T> following(NamespaceSet set) {
    namespaces = set;
    return this;
  }

  /**
   * Returns whether the cache for a namespace has synced. Returns false while the source is not
   * running.
   *
   * @param namespace the namespace, or an empty string for all namespaces
   */
  public boolean hasSynced(String namespace) {
    Opened<T> opened = current;
    return opened != null && opened.informer().hasSynced(namespace);
  }

  /**
   * Returns the informer's cache without the overlay of this process's own writes. The cache is
   * empty while the source is not running.
   */
  public Indexer<T> indexer() {
    Opened<T> opened = current;
    return opened == null ? nothing : opened.informer().indexer();
  }

  /**
   * Returns the object with the given key from the informer's cache, overlaid with this process's
   * own writes. If the result of a write to the object is unknown, reads the object from the
   * server.
   *
   * @param server a function that reads an object from the server
   * @return the object, or empty if it does not exist or the source is not running
   */
  public Optional<T> get(ObjectKey key, Function<ObjectKey, Optional<T>> server) {
    Opened<T> opened = current;
    Optional<Overlay<T>> overlay =
        opened == null ? Optional.empty() : opened.informer().overlay(key);
    if (overlay.isEmpty()) {
      return Optional.empty();
    }
    return overlay.get().read(key, CachedObject::decode, server);
  }

  /**
   * Returns views of the informer's cache, overlaid with this process's own writes. If the informer
   * watches several namespaces separately, there is one view for each namespace.
   *
   * @param namespace the namespace of the objects to read, or an empty string for all namespaces
   * @return the overlays, or an empty list while the source is not running
   */
  public List<Overlay<T>> overlays(String namespace) {
    Opened<T> opened = current;
    return opened == null ? List.of() : opened.informer().overlays(namespace);
  }

  @Override
  public Running start(PrioritySink sink) {
    return begin(new Run(access.open(), sink), Run::start);
  }

  @Override
  public Kind kind() {
    return Kind.REPLAYED;
  }

  /** Fills the cache. The handler does not receive the objects before {@link #start} is called. */
  @Override
  public Running warmUp() {
    return begin(new Run(access.open(), null), Run::fill);
  }

  private Run begin(Run run, Consumer<Run> beginning) {
    indices.forEach(run.opened.informer().indexer()::addIndex);
    begin(run); // before any event, so that handlers find the owners in the cache
    run.follow();
    boolean begun = false;
    try {
      beginning.accept(run);
      begun = true;
    } finally {
      if (!begun) {
        run.stop();
      }
    }
    return run;
  }

  private synchronized void begin(Run run) {
    runs.add(run);
    current = run.opened;
  }

  private synchronized void end(Run run) {
    runs.remove(run);
    current = runs.isEmpty() ? null : runs.get(runs.size() - 1).opened;
  }

  /**
   * Returns the watched resource's name, followed by its cluster's name unless the resource is in
   * the program's own cluster.
   */
  public String watched() {
    return watched + where();
  }

  private String where() {
    return cluster.isEmpty() ? "" : " in the cluster " + OneLine.of(cluster, 100);
  }

  @Override
  public String toString() {
    return "the informer source of " + watched();
  }

  /**
   * Updates the namespaces of an informer when a set of namespaces changes. Also removes the
   * handler's state for the objects in removed namespaces.
   */
  private record Membership<T>(MultiNamespaceInformer<T> informer, EventHandler<T> handler)
      implements NamespaceSet.Follower {

    @Override
    public void added(String namespace) {
      informer.addNamespace(namespace);
    }

    /**
     * Stops watching a namespace. Does not deliver deletion events to handlers, because the objects
     * still exist.
     */
    @Override
    public void removed(String namespace) {
      informer.removeNamespace(namespace);
      if (handler instanceof StatefulEventHandler<T> memory) {
        memory.forgetNamespace(namespace);
      }
    }
  }

  private final class Run implements Running {
    private final Opened<T> opened;

    /** The way to the queue, or null if this run only fills the cache. */
    private final @Nullable PrioritySink sink;

    private final EventHandler<T> own = StatefulEventHandler.own(handler);

    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile @Nullable HandlerRegistration registration;
    private NamespaceSet.@Nullable Follower follower;

    Run(Opened<T> opened, @Nullable PrioritySink sink) {
      this.opened = opened;
      this.sink = sink;
    }

    void follow() {
      NamespaceSet set = namespaces;
      if (set != null) {
        follower = new Membership<>((MultiNamespaceInformer<T>) opened.informer(), own);
        set.follow(follower);
      }
    }

    void fill() {
      opened.start().run();
    }

    void start() {
      PrioritySink queue =
          Objects.requireNonNull(sink, "a run that is started has a way to the queue");
      registration =
          opened.informer().addEventHandler(new Enqueuer<>(predicate, own, queue, cluster), resync);
      opened.start().run();
    }

    @Override
    public boolean hasSynced() {
      NamespaceSet set = namespaces;
      if (set != null && !set.isKnown()) {
        return false;
      }
      if (sink == null) {
        return opened.informer() instanceof MultiNamespaceInformer<T> several
            ? several.hasSyncedAwaited()
            : opened.informer().hasSynced();
      }
      HandlerRegistration registered = registration;
      return registered != null && registered.hasSynced();
    }

    @Override
    public Optional<String> problem() {
      Informer<T> informer = opened.informer();
      return informer
          .problem()
          .map(failure -> informer.type().resource() + where() + ": " + failure);
    }

    /** Stops the run. If a step fails, the remaining steps are performed nevertheless. */
    @Override
    public void stop() {
      if (!stopped.compareAndSet(false, true)) {
        return;
      }
      try {
        leave();
      } finally {
        end(this);
        opened.close().run();
      }
    }

    private void leave() {
      try {
        NamespaceSet set = namespaces;
        if (set != null && follower != null) {
          set.unfollow(follower);
        }
      } finally {
        HandlerRegistration registered = registration;
        if (registered != null) {
          registered.remove();
        }
      }
    }
  }
}
