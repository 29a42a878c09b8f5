// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.OneLine;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that read, answer and write requests, of which the JDK's server holds one from the
 * first byte of a request to the last byte of its answer.
 *
 * <p>A client that sends part of a request must not keep others waiting. So there are many more
 * threads than pages are made at a time, a request has little time to arrive in full, and when all
 * threads are taken, the requests that have been arriving for longest give way after a fraction of
 * a second: an honest one arrives in one piece. A thread whose time is up is interrupted, and that
 * closes the connection, because the JDK's server reads and writes through interruptible channels.
 * A request for which there is neither a thread nor a place to wait is closed in the same way.
 */
final class RequestThreads implements Executor {

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  /** The request that the current thread serves. */
  private static final ThreadLocal<Arriving> CURRENT = new ThreadLocal<>();

  /**
   * Limits of an endpoint.
   *
   * @param threads how many requests are read, answered and written at a time
   * @param waiting how many more wait for a thread
   * @param crowded how long a request may take to arrive while others wait for a thread
   * @param arrival how long it may take to arrive at any time
   * @param request how long it may take from its first byte to the last one of the answer
   */
  record Limits(int threads, int waiting, Duration crowded, Duration arrival, Duration request) {}

  private final Scheduler scheduler;
  private final Limits limits;
  private final ThreadPoolExecutor pool;
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger handed = new AtomicInteger();

  /** Requests without a thread, first come first. */
  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  /** Requests with a thread that have not arrived in full, oldest first. */
  @GuardedBy("this")
  private final Set<Arriving> arriving = new LinkedHashSet<>();

  /** Requests that were told to give way, and whose threads are not free yet. */
  @GuardedBy("this")
  private final Set<Arriving> leaving = new LinkedHashSet<>();

  /** Whether an alarm will look for requests that must give way. */
  @GuardedBy("this")
  private boolean clearing;

  @GuardedBy("this")
  private int busy;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Void> idle;

  RequestThreads(String name, Limits limits, Scheduler scheduler, ThreadFactory threads) {
    this.scheduler = scheduler;
    this.limits = limits;
    AtomicInteger made = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            HttpEndpoint.PAGES,
            Integer.MAX_VALUE, // busy counts; one that has just ended may not be back yet
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = threads.newThread(task);
              thread.setName(name + "-http-" + made.incrementAndGet());
              if (!thread.isDaemon()) {
                thread.setDaemon(true);
              }
              return thread;
            });
  }

  /** Called by the JDK's server for each request whose first byte has arrived. */
  @Override
  public void execute(Runnable request) {
    handed.incrementAndGet();
    boolean free;
    synchronized (this) {
      free = busy < limits.threads();
      if (free) {
        busy++;
      } else if (waiting.size() < limits.waiting()) {
        waiting.add(request);
        clear();
        return;
      }
    }
    if (free) {
      start(request);
    } else {
      refuse(request);
    }
  }

  private void start(Runnable request) {
    try {
      pool.execute(() -> run(request));
    } catch (RuntimeException | Error e) { // no thread: it must not end the server's own
      log.warn("Refused a request: {}", OneLine.of(String.valueOf(e), 200));
      refuse(request);
      end();
    }
  }

  /** An interrupted thread can't read from a channel: it closes it, and the server gives up. */
  private void refuse(Runnable request) {
    refused.incrementAndGet();
    Thread.currentThread().interrupt();
    try {
      request.run();
    } finally {
      Thread.interrupted(); // the server's own thread goes on with other connections
    }
  }

  private void run(Runnable first) {
    Runnable request = first;
    while (request != null) {
      Arriving current = new Arriving(Thread.currentThread());
      try {
        serve(current, request);
      } finally {
        request = next(current);
      }
    }
  }

  private void serve(Arriving current, Runnable request) {
    if (!current.limit()) {
      refuse(request); // it might take for ever
      return;
    }
    synchronized (this) {
      arriving.add(current);
      clear();
    }
    CURRENT.set(current);
    try {
      request.run();
    } finally {
      CURRENT.remove();
      current.end();
    }
  }

  private synchronized @Nullable Runnable next(Arriving ended) {
    leaving.remove(ended);
    Runnable next = waiting.poll();
    if (next == null) {
      end();
    }
    return next;
  }

  /**
   * Must be called by what answers a request, before anything else: it has arrived.
   *
   * @return false if it took too long, and its connection is being closed
   */
  static boolean hasArrived() {
    Arriving current = CURRENT.get();
    return current == null || current.arrived();
  }

  /** Makes room for those that wait, now and whenever the next one has had its time. */
  @GuardedBy("this")
  private void clear() {
    if (clearing || missing() <= 0 || arriving.isEmpty()) {
      return;
    }
    long crowded = limits.crowded().toNanos();
    long age = scheduler.nanoTime() - arriving.iterator().next().since;
    try {
      scheduler.schedule(this::makeRoom, Duration.ofNanos(Math.max(0, crowded - age)));
      clearing = true;
    } catch (RuntimeException | Error e) { // they end by the limits that they have
      log.warn("Failed to set an alarm: {}", OneLine.of(String.valueOf(e), 200));
    }
  }

  /** How many of those that wait get no thread from those that were told to give way. */
  @GuardedBy("this")
  private int missing() {
    return waiting.size() - leaving.size();
  }

  private void makeRoom() {
    List<Arriving> late = new ArrayList<>();
    synchronized (this) {
      clearing = false;
      long now = scheduler.nanoTime();
      int missing = missing();
      for (Arriving each : arriving) {
        if (late.size() >= missing || now - each.since < limits.crowded().toNanos()) {
          break;
        }
        late.add(each);
      }
      late.forEach(arriving::remove);
      leaving.addAll(late);
      clear();
    }
    late.forEach(Arriving::giveWay);
  }

  /** A request with a thread. Interrupts it when its time is up, and never the next one. */
  private final class Arriving {

    /** By the monotonic clock. */
    private final long since = scheduler.nanoTime();

    private final Thread thread;

    @GuardedBy("this")
    private Scheduler.@Nullable Alarm alarm;

    @GuardedBy("this")
    private boolean arrived;

    @GuardedBy("this")
    private boolean late;

    @GuardedBy("this")
    private boolean ended;

    Arriving(Thread thread) {
      this.thread = thread;
    }

    /** False if no alarm can be set. */
    synchronized boolean limit() {
      try {
        alarm = scheduler.schedule(this::firstLimit, limits.arrival());
        return true;
      } catch (RuntimeException | Error e) { // no thread for alarms, or no memory
        log.warn("Refused a request: {}", OneLine.of(String.valueOf(e), 200));
        return false;
      }
    }

    private synchronized void firstLimit() {
      giveWay();
      if (!ended && !late) {
        try {
          alarm = scheduler.schedule(this::over, limits.request().minus(limits.arrival()));
        } catch (RuntimeException | Error e) {
          over(); // better early than never
        }
      }
    }

    /** Has no effect on a request that has arrived. */
    synchronized void giveWay() {
      if (!arrived) {
        late = true;
        over();
      }
    }

    private synchronized void over() {
      if (!ended) {
        thread.interrupt();
      }
    }

    boolean arrived() {
      synchronized (this) {
        arrived = true;
      }
      synchronized (RequestThreads.this) {
        arriving.remove(this);
        if (!late() && leaving.remove(this)) {
          clear(); // it keeps its thread, so another one must make room
        }
      }
      return !late();
    }

    private synchronized boolean late() {
      return late;
    }

    void end() {
      synchronized (RequestThreads.this) {
        arriving.remove(this);
      }
      synchronized (this) {
        ended = true;
        Thread.interrupted();
        if (alarm != null) {
          alarm.cancel();
        }
      }
    }
  }

  private synchronized void end() {
    busy--;
    CompletableFuture<Void> over = idle;
    if (busy == 0 && over != null) {
      over.complete(null);
    }
  }

  /** How many requests were turned away. */
  int refused() {
    return refused.get();
  }

  /** How many requests came from the server's own thread, refused ones included. */
  int handed() {
    return handed.get();
  }

  /** Completed as soon as no request is under way. */
  synchronized CompletableFuture<Void> idle() {
    CompletableFuture<Void> over = new CompletableFuture<>();
    if (busy == 0) {
      over.complete(null);
    }
    idle = over;
    return over;
  }

  /** Interrupts what is left, and closes what waits. */
  void close() {
    List<Runnable> left;
    synchronized (this) {
      left = new ArrayList<>(waiting);
      waiting.clear();
    }
    pool.shutdownNow();
    left.forEach(this::refuse);
  }
}
