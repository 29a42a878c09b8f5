// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.InformerStatus.HandlerStatus;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.KnownObjects;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.Reflector;
import dev.windlass.informer.reflector.ReflectorOptions;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link Informer} for the objects of one type in one scope. It uses a single list and watch. It
 * consists of a reflector, a delta FIFO, a store, and a processor that notifies the handlers.
 *
 * <p>All methods can be called from any thread. Only {@link #stop} blocks. A stopped informer
 * cannot be restarted.
 *
 * @param <T> the Java class of the objects
 */
public final class SharedIndexInformer<T> implements Informer<T> {

  /** The minimum resync period: 1 s, as in client-go. Shorter periods are raised to this value. */
  public static final Duration MINIMUM_RESYNC = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private enum Phase {
    NEW,
    RUNNING,
    STOPPED
  }

  private final InformerSpec<T> spec;
  private final String source;
  private final String name;
  private final Scheduler scheduler;
  private final Store<T> store = Store.create();
  private final Overlay<T> overlay;
  private final Lister<T> lister = new Lister<>(store);
  private final DeltaFifo<T> fifo;
  private final SharedProcessor<T> processor;
  private final DeltaApplier<T> applier;
  private final FeedStats stats;
  private final FeedListener listener;
  private final Reflector<T> reflector;
  private final Loop applierLoop;
  private final Loop reflectorLoop;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private Phase phase = Phase.NEW;

  /** The handlers that were added before the informer was started. */
  @GuardedBy("lock")
  private final List<SharedProcessor<T>.Lane> early = new ArrayList<>();

  /** The timer for the next resync of each handler that requested resyncs. */
  @GuardedBy("lock")
  private final Map<SharedProcessor<T>.Lane, Scheduler.Alarm> resyncs = new HashMap<>();

  /** Creates an informer for all objects of a type, without starting it. */
  public SharedIndexInformer(
      ObjectCodec<T> codec, ListerWatcher listerWatcher, InformerOptions options) {
    this(new InformerSpec<>(codec, WatchScope.ALL, Transform.NONE), listerWatcher, options);
  }

  /**
   * Creates an informer without starting it.
   *
   * @param listerWatcher the source that lists and watches the objects in the spec's scope
   */
  public SharedIndexInformer(
      InformerSpec<T> asked, ListerWatcher listerWatcher, InformerOptions options) {
    spec = asked.with(options.serialization());
    source = listerWatcher.describe();
    name = "informer-" + type().resource();
    scheduler = options.scheduler();
    fifo = new DeltaFifo<>(this::wakeApplier, scheduler::nanoTime);
    processor = new SharedProcessor<>(name, scheduler, options.threads());
    ObjectDecoder<T> decoder = new ObjectDecoder<>(spec.codec(), spec.transform());
    applier = new DeltaApplier<>(fifo, store, processor, this::listAgain);
    boolean narrowed = !spec.scope().selectsAll();
    overlay = new Overlay<>(store, narrowed, decoder, scheduler, applier::reportMissed);
    store.observe(overlay);
    applierLoop = new Loop(name + "-applier", applier, scheduler, options.threads());
    stats = new FeedStats(scheduler);
    listener = stats.and(options.listeners().apply(type()));
    reflector =
        new Reflector<>(
            listerWatcher,
            decoder,
            fifo,
            new Copied(),
            new ReflectorOptions(
                scheduler,
                options.random(),
                listener,
                options.auditPeriod(),
                options.watchTimeout()),
            this::wakeReflector);
    reflectorLoop =
        new Loop(name + "-reflector", reflector, scheduler, options.threads(), this::endFeed);
  }

  private void endFeed() {
    try {
      reflector.close();
    } finally {
      listener.closed();
    }
  }

  /** Gives the reflector read access to the cache. */
  private final class Copied implements KnownObjects<T> {
    @Override
    public @Nullable CachedObject<T> get(ObjectKey key) {
      return store.get(key).orElse(null);
    }

    @Override
    public Collection<ObjectKey> keys() {
      return store.keys();
    }
  }

  private void wakeApplier() {
    applierLoop.wake();
  }

  private void listAgain() {
    reflector.requestList();
  }

  private void wakeReflector() {
    reflectorLoop.wake();
  }

  @Override
  public ResourceType type() {
    return spec.type();
  }

  /**
   * Starts listing and watching. If a thread cannot be created, this method throws an exception,
   * and can be called again to complete the start. Once it has succeeded, a further call only logs
   * a warning.
   */
  public void start() {
    synchronized (lock) {
      if (phase != Phase.NEW) {
        log.warn("{} has started; it can't be started again", name);
        return;
      }
      while (!early.isEmpty()) {
        SharedProcessor<T>.Lane lane = early.get(0);
        lane.join(List.of(), false);
        lane.start();
        early.remove(0);
      }
      if (!applierLoop.isRunning()) {
        applierLoop.start();
      }
      reflectorLoop.start();
      phase = Phase.RUNNING;
    }
  }

  @Override
  public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync) {
    synchronized (lock) {
      if (phase == Phase.STOPPED) {
        throw new IllegalStateException(
            "handler "
                + handler
                + " was not added to shared informer because it has stopped already");
      }
      forgetResyncsOfTheRemoved();
      SharedProcessor<T>.Lane lane = processor.lane(handler);
      boolean added = false;
      try {
        if (!resync.isZero()) {
          scheduleResync(lane, atLeastMinimum(resync));
        }
        if (phase == Phase.NEW) {
          early.add(lane);
        } else {
          lane.start();
          fifo.sync(() -> lane.join(replay(), applier.hasSynced()));
        }
        added = true;
      } finally {
        if (!added) {
          lane.remove(); // starting failed, and the caller has no registration to remove
        }
      }
      return lane;
    }
  }

  private Duration atLeastMinimum(Duration resync) {
    if (resync.compareTo(MINIMUM_RESYNC) >= 0) {
      return resync;
    }
    log.warn("{}: resync period {} is too short; using 1 s", name, DurationText.of(resync));
    return MINIMUM_RESYNC;
  }

  /** Returns an addition for each stored object. Only the applier calls this method. */
  private List<ResourceEvent<T>> replay() {
    List<ResourceEvent<T>> events = new ArrayList<>(store.size());
    for (CachedObject<T> object : store.list()) {
      events.add(new ResourceEvent.Added<>(object, true));
    }
    return events;
  }

  /** Cancels the resyncs of removed handlers. Their timers would keep the handlers in memory. */
  @GuardedBy("lock")
  private void forgetResyncsOfTheRemoved() {
    resyncs
        .entrySet()
        .removeIf(
            resync -> {
              boolean removed = resync.getKey().isRemoved();
              if (removed) {
                resync.getValue().cancel();
              }
              return removed;
            });
  }

  @GuardedBy("lock")
  private void scheduleResync(SharedProcessor<T>.Lane lane, Duration period) {
    resyncs.put(lane, scheduler.schedule(() -> resync(lane, period), period));
  }

  private void resync(SharedProcessor<T>.Lane lane, Duration period) {
    synchronized (lock) {
      resyncs.remove(lane);
      if (phase == Phase.STOPPED || lane.isRemoved()) {
        return;
      }
      try {
        scheduleResync(lane, period);
      } catch (RuntimeException e) {
        log.error("{}: failed to schedule the next resync; the applier retries", lane.name(), e);
      }
    }
    fifo.sync(
        () -> {
          keepResyncing(lane, period);
          for (CachedObject<T> object : store.list()) {
            lane.add(new ResourceEvent.Updated<>(object, object));
          }
        });
  }

  /** Schedules the next resync. Does nothing if {@link #resync} has already scheduled it. */
  private void keepResyncing(SharedProcessor<T>.Lane lane, Duration period) {
    synchronized (lock) {
      if (phase != Phase.STOPPED && !lane.isRemoved() && !resyncs.containsKey(lane)) {
        scheduleResync(lane, period);
      }
    }
  }

  @Override
  public Indexer<T> indexer() {
    return store;
  }

  @Override
  public Lister<T> lister() {
    return lister;
  }

  /** Returns the spec, which defines the cached objects and the cached part of each object. */
  public InformerSpec<T> spec() {
    return spec;
  }

  /** Returns the scope, which defines the cached objects. */
  public WatchScope scope() {
    return spec.scope();
  }

  /** Returns a view of {@link #indexer()} that includes this process's own writes immediately. */
  public Overlay<T> overlay() {
    return overlay;
  }

  @Override
  public Optional<Overlay<T>> overlay(ObjectKey key) {
    return Optional.of(overlay);
  }

  @Override
  public boolean hasSynced() {
    return applier.hasSynced();
  }

  @Override
  public Optional<FeedFailure> problem() {
    return reflector.problem();
  }

  @Override
  public List<InformerStatus> statuses() {
    return List.of(status());
  }

  /** Returns a snapshot of the current status. */
  public InformerStatus status() {
    return new InformerStatus(
        type(),
        source,
        hasSynced(),
        problem(),
        store.size(),
        store.bytes(),
        fifo.oldestAge(),
        stats.watchAge(),
        stats.sinceEvent(),
        stats.sinceBookmark(),
        stats.lists(),
        stats.watches(),
        stats.events(),
        stats.failures(),
        stats.skipped(),
        spec.codec().failures(),
        stats.outOfOrderEvents(),
        stats.audits(),
        stats.auditMismatches(),
        store.indexFailures(),
        processor.handlers().stream().map(HandlerStatus::of).toList());
  }

  /** Returns the loops of the reflector and the applier. They run while the informer is running. */
  public List<Loop> loops() {
    return List.of(reflectorLoop, applierLoop);
  }

  /** Returns all loops that a health check expects to run, including the handlers' loops. */
  public List<Loop> runningLoops() {
    synchronized (lock) {
      if (phase != Phase.RUNNING) {
        return List.of();
      }
    }
    List<Loop> running = new ArrayList<>(loops());
    for (HandlerRegistration handler : processor.handlers()) {
      if (handler instanceof SharedProcessor<?>.Lane lane) {
        running.add(lane.loop());
      }
    }
    return running;
  }

  /** Returns the most recent list request, or empty if there has been none. */
  public Optional<InformerStatus.LastList> lastList() {
    return stats.lastList();
  }

  /**
   * Stops the watch, then the applier, and then the handlers. The cache remains readable. If the
   * informer has never been started, this method only prevents it from being started. This method
   * is idempotent.
   *
   * @param limit the time limit for all three steps together
   * @return whether all threads terminated within the limit
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean stop(Duration limit) throws InterruptedException {
    cancelResyncs();
    Deadline deadline = Deadline.in(limit, scheduler);
    reflectorLoop.stop();
    try {
      boolean ended = reflectorLoop.join(deadline.left());
      applierLoop.stop();
      ended &= applierLoop.join(deadline.left());
      boolean handlersEnded = processor.stop(deadline.left());
      return ended && handlersEnded;
    } finally {
      // This has an effect only if the caller was interrupted before all threads were signalled.
      askToStop();
    }
  }

  /** Signals the reflector to stop, but does not wait. Received changes are still delivered. */
  void askReflectorToStop() {
    reflectorLoop.stop();
  }

  /** Signals all threads to stop, but does not wait. The informer cannot be started later. */
  void askToStop() {
    cancelResyncs();
    reflectorLoop.stop();
    applierLoop.stop();
    processor.askToStop();
  }

  /** Returns the loops whose threads have not terminated. Shutdown must wait for them. */
  List<Loop> loopsLeft() {
    List<Loop> left = new ArrayList<>(processor.runningLoops());
    loops().stream().filter(Loop::isRunning).forEach(left::add);
    return left;
  }

  private void cancelResyncs() {
    synchronized (lock) {
      phase = Phase.STOPPED;
      resyncs.values().forEach(Scheduler.Alarm::cancel);
      resyncs.clear();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
