// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.loopdetection.RunHistory;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.LeadershipRequirement;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.RecordingWorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * The keys of a controller: the queue, in which each key has its {@link KeyState}, and which of the
 * keys the controller owns. The sources add their requests here, and the queue receives them
 * together with their reasons. If the controller ignores its own events, requests that its own
 * writes have caused are dropped.
 *
 * <p>The controller owns the keys of a shard during a <em>term</em>, which has a number. The keys
 * of a controller that is not sharded are one shard. Between its terms, the queue is empty, and one
 * request for each key is kept until the next term. The depth of the queue therefore remains 0
 * between terms, and waiting times begin with the term. Usually, only sources of the kind {@link
 * dev.windlass.controller.enqueue.Source.Kind#KEPT} add requests then. A sharded controller keeps
 * none: another replica owns the key, and receives the same event.
 *
 * <p>The queue's lock makes the end of a term a clean cut: each request is added either before the
 * queue drops all keys, or kept for the next term. This class is thread-safe.
 */
public final class OwnedKeys implements PrioritySink {

  /** The number that stands for no term. */
  public static final long NONE = 0;

  /**
   * A failing request.
   *
   * @param request the request
   * @param error a description of the last exception
   * @param times the number of consecutive failures
   * @param failing the time since the first of them
   * @param ago the time since the last of them
   */
  public record Failure(Request request, String error, int times, Duration failing, Duration ago) {}

  /** A kept request, with its state. */
  private record KeptRequest(Request request, KeyState.Kept kept) {}

  private final RecordingWorkQueue<Request, KeyState> queue;
  private final boolean ignoresOwnEvents;
  private final boolean remembersRuns;
  private final ControllerListener listener;
  private final Scheduler scheduler;
  private final LeadershipRequirement leading;

  /** The term of each shard, or {@link #NONE} for a shard that the controller does not own. */
  private final AtomicLongArray terms;

  /** The first of the current terms. */
  private volatile long term;

  private final LongAdder dropped = new LongAdder();

  private volatile boolean closed;
  private volatile Runnable onAdd = () -> {};

  @GuardedBy("this")
  private boolean queueOpen;

  /** The number of terms so far. */
  @GuardedBy("this")
  private long count;

  /** The number of calls that kept a request so far. The queue's lock guards it. */
  private long order;

  public OwnedKeys(ControllerConfig config) {
    ControllerOptions options = config.options();
    long interval = Scheduler.saturatedNanos(options.minimumInterval);
    this.queue = RecordingWorkQueue.create(config.queue(), () -> new KeyState(interval));
    this.ignoresOwnEvents = options.ignoreOwnEvents;
    this.remembersRuns = options.loopDetection || interval > 0;
    this.listener = config.listener();
    this.scheduler = config.scheduler();
    this.leading = config.leading();
    this.terms = new AtomicLongArray(leading.shards());
  }

  /**
   * Returns whether the controller accepts requests, into its queue or to keep them. The result
   * becomes false when the controller stops, before its queue is shut down.
   */
  @Override
  public boolean isOpen() {
    return !closed;
  }

  public void close() {
    closed = true;
  }

  public RecordingWorkQueue<Request, KeyState> queue() {
    return queue;
  }

  /**
   * Returns the number of the first of the current terms, or {@link #NONE}. It remains the same as
   * long as the controller owns any keys.
   */
  public long term() {
    return term;
  }

  /** Returns whether the controller owns any keys. */
  public boolean areOwned() {
    return term != NONE;
  }

  /** Returns whether the controller owns the key of a request. */
  public boolean owns(Request request) {
    return owns(leading.shardOf(request));
  }

  public boolean owns(int shard) {
    return terms.get(shard) != NONE;
  }

  /** Returns whether the controller owns a shard and no other. */
  public boolean ownsOnly(int shard) {
    return IntStream.range(0, leading.shards()).allMatch(each -> owns(each) == (each == shard));
  }

  /** Returns how many requests for keys of other replicas were dropped that only arrived here. */
  public long dropped() {
    return dropped.sum();
  }

  /**
   * Returns a sink for the requests of a source that other replicas do not receive. It counts those
   * that are dropped.
   */
  public PrioritySink counting() {
    return new PrioritySink() {
      @Override
      public void add(Request request, Priority priority) {
        add(request, priority, RequestCause.UNKNOWN);
      }

      @Override
      public void add(Request request, Priority priority, RequestCause cause) {
        if (leading.isSharded() && !owns(request)) {
          dropped.increment();
        }
        OwnedKeys.this.add(request, priority, cause);
      }

      @Override
      public boolean isOpen() {
        return OwnedKeys.this.isOpen();
      }
    };
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, RequestCause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
    if (leading.isSharded() && !owns(request)) {
      return; // its owner receives the same event
    }
    boolean[] ignored = {false};
    boolean added =
        queue.add(
            request,
            priority,
            state -> {
              if (!owns(request)) {
                if (!leading.isSharded()) {
                  state.keep(priority, cause, order++);
                }
                return false;
              }
              if (ignoresOwnEvents) {
                KeyWrites.Verdict verdict =
                    state.ownWrites().decide(new KeyWrites.Event(priority, cause));
                ignored[0] = verdict == KeyWrites.Verdict.IGNORE;
                if (verdict != KeyWrites.Verdict.ADD) {
                  return false;
                }
              }
              state.because(cause);
              return true;
            });
    if (added) {
      onAdd.run();
    } else if (ignored[0]) {
      SafeLog.safely(listener, l -> l.ownEventIgnored(request));
    }
  }

  /** Returns an observer of the writes of a request's reconciles, which recognises their events. */
  public WriterContext.Observer ownWrites(Request request) {
    return write -> {
      queue.update(request, state -> state.ownWrites().begin(write));
      return (name, version) ->
          queue
              .record(
                  request,
                  state -> state.ownWrites().end(write, name, version, scheduler.nanoTime()))
              .forEach(event -> add(request, event.priority(), event.cause()));
    };
  }

  /**
   * Begins a term of a shard. Passes the kept requests to the queue, in the order in which they
   * arrived.
   *
   * @return the number of the term
   * @throws IllegalStateException if the shard has a term
   */
  public long begin(int shard) {
    long begun;
    synchronized (this) {
      if (owns(shard)) {
        throw new IllegalStateException("the term " + terms.get(shard) + " has not ended");
      }
      begun = ++count;
      terms.set(shard, begun); // first, so that nothing is kept when the queue's lock is free
      if (term == NONE) {
        term = begun;
      }
    }
    if (leading.isSharded()) {
      return begun; // nothing is kept
    }
    List<KeptRequest> all = new ArrayList<>();
    queue.forEach(
        (request, state) -> {
          KeyState.Kept kept = state.kept();
          if (kept != null) {
            all.add(new KeptRequest(request, kept));
            state.dropKept();
          }
        });
    all.sort(Comparator.comparing(each -> each.kept().order()));
    all.forEach(each -> add(each.request(), each.kept().priority(), each.kept().cause()));
    return begun;
  }

  /** Lets the workers take requests from the queue, unless the given term has ended. */
  public synchronized void openQueue(long during) {
    if (term == during) {
      queueOpen = true;
      queue.setOpen(true);
    }
  }

  public synchronized boolean isQueueOpen() {
    return queueOpen;
  }

  /**
   * Ends the term of a shard, if it has one, and drops its requests from the queue. Requests that
   * are kept remain.
   */
  public synchronized void end(int shard) {
    if (!owns(shard)) {
      return;
    }
    terms.set(shard, NONE);
    if (IntStream.range(0, leading.shards()).noneMatch(this::owns)) {
      term = NONE;
      queueOpen = false;
      queue.setOpen(false);
    }
    queue.drop(request -> leading.shardOf(request) == shard, KeyState::onlyKept);
  }

  /** Sets an action to perform whenever a request has been added to the queue. */
  public void whenAdded(Runnable action) {
    onAdd = action;
  }

  /** Records a reason for the next run of a request, which the caller then queues. */
  public void because(Request request, Object reason) {
    queue.update(request, state -> state.because(reason));
  }

  /** Returns the time that a request must wait, because its last run started too recently. */
  public Duration hold(Request request) {
    return remembersRuns
        ? queue.record(request, KeyState::history).hold(scheduler.nanoTime())
        : Duration.ZERO;
  }

  /** Records that a run of a request starts now. Returns the request's recent runs, if known. */
  public Optional<RunHistory> ran(Request request) {
    if (!remembersRuns) {
      return Optional.empty();
    }
    RunHistory history = queue.record(request, KeyState::history);
    history.run(scheduler.nanoTime());
    return Optional.of(history);
  }

  /**
   * Drops what a reconcile that has outlasted its term has requested, unless there is a new term.
   */
  public void dropUnowned(Request request) {
    if (!owns(request)) {
      queue.drop(key -> key.equals(request) && !owns(key), KeyState::onlyKept);
    }
  }

  /** Returns all failing requests, in no particular order. */
  public List<Failure> failures() {
    long now = scheduler.nanoTime();
    List<Failure> all = new ArrayList<>();
    queue.forEach(
        (request, state) ->
            state
                .failures()
                .ifPresent(
                    failing ->
                        all.add(
                            new Failure(
                                request,
                                failing.error(),
                                failing.times(),
                                Duration.ofNanos(now - failing.since()),
                                Duration.ofNanos(now - failing.last())))));
    return all;
  }
}
