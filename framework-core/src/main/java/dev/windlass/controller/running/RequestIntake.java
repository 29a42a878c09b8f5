// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

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
 * Receives the requests of a run's sources, and puts them into the queue together with their
 * reasons. If the controller ignores its own events, the intake drops requests that the
 * controller's own writes have caused.
 *
 * <p>On a replica that is not the leader yet, the intake keeps one request for each object until
 * the replica becomes the leader. These requests are not in the work queue. The depth of the queue
 * therefore remains 0 on a standby replica, and waiting times begin with the election. Before the
 * election, only sources whose requests cannot be recomputed later add requests; see {@link
 * dev.windlass.controller.enqueue.Source#warmUp}.
 *
 * <p>This class is thread-safe.
 */
final class RequestIntake implements PrioritySink {

  /** A kept request, with its state. */
  private record KeptRequest(Request request, KeyState.Kept kept) {}

  private final RecordingWorkQueue<Request, KeyState> queue;
  private final boolean ignoresOwnEvents;
  private final ControllerListener listener;
  private final Scheduler scheduler;
  private volatile boolean released;
  private volatile boolean closed;

  /** The number of calls that kept a request so far. The queue's lock guards it. */
  private long order;

  /** Creates an intake without requests. */
  RequestIntake(ControllerConfig config, RecordingWorkQueue<Request, KeyState> queue) {
    this.queue = queue;
    this.ignoresOwnEvents = config.options().ignoreOwnEvents();
    this.listener = config.listener();
    this.scheduler = config.scheduler();
  }

  /**
   * Returns whether the run still accepts requests. The result becomes false when shutdown begins,
   * before the queue is shut down.
   */
  @Override
  public boolean isOpen() {
    return !closed;
  }

  void close() {
    closed = true;
  }

  /**
   * Returns whether the intake passes requests to the queue. This is the case if the current run
   * did not begin on a standby replica, or if this replica has since become the leader.
   */
  public boolean isReleased() {
    return released;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, RequestCause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
    boolean[] ignored = {false};
    queue.add(
        request,
        priority,
        state -> {
          if (!released) {
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
    if (ignored[0]) {
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
   * Passes the kept requests to the queue, in the order in which they arrived. The intake passes
   * all later requests directly. Call this method when this replica has become the leader.
   */
  public void release() {
    released = true; // first, so that nothing is kept any more when the lock is free
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
  }
}
