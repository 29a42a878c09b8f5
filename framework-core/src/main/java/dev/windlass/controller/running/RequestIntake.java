// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.WriterContext;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.logging.SafeListener;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.RecordingWorkQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Receives the requests of a controller's sources, and puts them into the queue together with their
 * reasons. If the controller ignores its own events, the intake drops requests that the
 * controller's own writes have caused.
 *
 * <p>The controller owns its keys during a <em>term</em>, which has a number. Between terms, the
 * queue is empty, and the intake keeps one request for each key until the next term. The depth of
 * the queue therefore remains 0 between terms, and waiting times begin with the term. Usually, only
 * sources of the kind {@link dev.windlass.controller.enqueue.Source.Kind#KEPT} add requests then.
 *
 * <p>The queue's lock makes the end of a term a clean cut: each request is added either before the
 * queue drops all keys, or kept for the next term. This class is thread-safe.
 */
final class RequestIntake implements PrioritySink {

  /** The number that stands for no term. */
  static final long NONE = 0;

  /** A kept request, with its state. */
  private record KeptRequest(Request request, KeyState.Kept kept) {}

  private final RecordingWorkQueue<Request, KeyState> queue;
  private final boolean ignoresOwnEvents;
  private final ControllerListener listener;
  private final Scheduler scheduler;

  /** The current term, or {@link #NONE}. */
  private volatile long term;

  private volatile boolean closed;
  private volatile Runnable onAdd = () -> {};

  @GuardedBy("this")
  private boolean queueOpen;

  /** The number of terms so far. */
  @GuardedBy("this")
  private long terms;

  /** The number of calls that kept a request so far. The queue's lock guards it. */
  private long order;

  /** Creates an intake without requests. */
  RequestIntake(ControllerConfig config, RecordingWorkQueue<Request, KeyState> queue) {
    this.queue = queue;
    this.ignoresOwnEvents = config.options().ignoreOwnEvents;
    this.listener = config.listener();
    this.scheduler = config.scheduler();
  }

  /**
   * Returns whether the controller accepts requests, into its queue or to keep them. The result
   * becomes false when the controller stops, before its queue is shut down.
   */
  @Override
  public boolean isOpen() {
    return !closed;
  }

  void close() {
    closed = true;
  }

  /** Returns the current term, or {@link #NONE}. */
  long term() {
    return term;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, RequestCause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
    boolean[] ignored = {false};
    boolean added =
        queue.add(
            request,
            priority,
            state -> {
              if (term == NONE) {
                state.keep(priority, cause, order++);
                return false;
              }
              if (ignoresOwnEvents) {
                OwnWrites.Verdict verdict =
                    state.ownWrites().decide(new OwnWrites.Event(priority, cause));
                ignored[0] = verdict == OwnWrites.Verdict.IGNORE;
                if (verdict != OwnWrites.Verdict.ADD) {
                  return false;
                }
              }
              state.because(cause);
              return true;
            });
    if (added) {
      onAdd.run();
    } else if (ignored[0]) {
      SafeListener.safely(listener, l -> l.ownEventIgnored(request));
    }
  }

  /** Returns an observer of the writes of a request's reconciles, which recognises their events. */
  WriterContext.Observer ownWrites(Request request) {
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
   * Begins a term. Passes the kept requests to the queue, in the order in which they arrived.
   *
   * @return the number of the term
   * @throws IllegalStateException if there is a term
   */
  long begin() {
    long begun;
    synchronized (this) {
      if (term != NONE) {
        throw new IllegalStateException("the term " + term + " has not ended");
      }
      begun = ++terms;
      term = begun; // first, so that nothing is kept any more when the queue's lock is free
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
  synchronized void openQueue(long during) {
    if (term == during) {
      queueOpen = true;
      queue.setOpen(true);
    }
  }

  /** Returns whether workers can take requests from the queue. */
  synchronized boolean isQueueOpen() {
    return queueOpen;
  }

  /** Ends the term, if there is one, and empties the queue. Requests that are kept remain. */
  synchronized void end() {
    if (term != NONE) {
      term = NONE;
      queueOpen = false;
      queue.setOpen(false);
      queue.drop(request -> true, KeyState::onlyKept);
    }
  }

  /** Sets an action to perform whenever a request has been added to the queue. */
  void whenAdded(Runnable action) {
    onAdd = action;
  }
}
