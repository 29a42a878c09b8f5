// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
 * The threads that read requests, produce pages and write responses. The JDK's server occupies one
 * thread from the first byte of a request to the last byte of its response.
 *
 * <p>A client that sends only part of a request must not block other clients. The number of threads
 * is therefore much greater than the number of pages that can be produced concurrently, and
 * requests must arrive within a short time. While other requests wait for a thread, this time is a
 * fraction of a second. A well-behaved client is not affected, because it sends a request in one
 * piece.
 *
 * <p>If a request exceeds a time limit, this class interrupts its thread. The interrupt closes the
 * connection, because the JDK's server reads and writes through interruptible channels. If no
 * thread is free and no further request can wait, this class closes the connection of a new request
 * in the same way.
 */
final class RequestThreads implements Executor {

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  /** The request that the current thread serves. */
  private static final ThreadLocal<@Nullable Serving> CURRENT = new ThreadLocal<>();

  /**
   * The limits of an endpoint. All durations are measured from the time at which a thread begins to
   * process the request.
   *
   * @param threads the maximum number of requests that are processed concurrently
   * @param waiting the maximum number of further requests that wait for a thread
   * @param crowded the time within which a request must arrive while other requests wait for a
   *     thread
   * @param arrival the time within which a request must arrive if no other requests wait
   * @param request the time within which the last byte of the response must be written
   */
  record Limits(int threads, int waiting, Duration crowded, Duration arrival, Duration request) {}

  private final Scheduler scheduler;
  private final Limits limits;
  private final ThreadPoolExecutor pool;
  private final AtomicInteger refused = new AtomicInteger();

  /** The requests that are being processed but have not arrived completely. */
  private final Set<Serving> arriving = ConcurrentHashMap.newKeySet();

  /** The requests that wait for a thread, in order of arrival. */
  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  /** The number of requests that threads process. */
  @GuardedBy("this")
  private int busy;

  /** Whether a timer has been set to close the connections of slow requests. */
  @GuardedBy("this")
  private boolean clearing;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private CompletableFuture<Void> idle = new CompletableFuture<>();

  RequestThreads(String name, Limits limits, Scheduler scheduler, ThreadFactory threads) {
    this.scheduler = scheduler;
    this.limits = limits;
    AtomicInteger made = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            HttpEndpoint.PAGES,
            Integer.MAX_VALUE, // busy is the limit; a finished thread may not be idle yet
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

  /**
   * Accepts a request. The JDK's server calls this method for each request whose first byte has
   * arrived.
   */
  @Override
  public void execute(Runnable request) {
    boolean free;
    synchronized (this) {
      free = !closed && busy < limits.threads();
      if (free) {
        busy++;
      } else if (!closed && waiting.size() < limits.waiting()) {
        waiting.add(request);
        makeRoomSoon();
        return;
      }
    }
    if (!free) {
      refuse(request);
      return;
    }
    try {
      pool.execute(() -> serveAll(request));
    } catch (RuntimeException | Error e) { // must not end the server's own thread
      log.warn("Refused a request: {}", OneLine.of(String.valueOf(e), 200));
      refuse(request);
      ended();
    }
  }

  /**
   * Closes a request's connection without reading the request. To do so, this method interrupts the
   * current thread before the thread reads the request. The read then closes the channel, and the
   * server drops the request.
   */
  private void refuse(Runnable request) {
    refused.incrementAndGet();
    Thread.currentThread().interrupt();
    try {
      request.run();
    } finally {
      Thread.interrupted(); // the server's own thread continues with other connections
    }
  }

  /** Serves a request, and then those that wait. */
  private void serveAll(Runnable first) {
    for (Runnable request = first; request != null; request = next()) {
      try {
        serve(request);
      } catch (RuntimeException | Error e) {
        log.warn("A request failed: {}", OneLine.of(String.valueOf(e), 200));
        FatalErrors.rethrow(e);
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      ended();
    }
    return next;
  }

  private synchronized void ended() {
    busy--;
    if (busy == 0) {
      idle.complete(null);
    }
  }

  private void serve(Runnable request) {
    Serving current = new Serving(Thread.currentThread(), scheduler.nanoTime());
    if (!current.limit()) {
      refuse(request); // without a timer, it could take forever
      return;
    }
    arriving.add(current);
    CURRENT.set(current);
    try {
      request.run();
    } finally {
      CURRENT.remove();
      arriving.remove(current);
      current.end();
    }
  }

  /**
   * Records that the current request has arrived. A request's handler must call this method first.
   *
   * @return false if the request took too long and its connection is being closed
   */
  static boolean hasArrived() {
    Serving current = CURRENT.get();
    return current == null || current.hasArrived();
  }

  /** If requests wait for a thread, sets a timer that closes the connections of slow requests. */
  @GuardedBy("this")
  private void makeRoomSoon() {
    if (waiting.isEmpty() || clearing) {
      return;
    }
    try {
      scheduler.schedule(this::makeRoom, limits.crowded());
      clearing = true;
    } catch (RuntimeException | Error e) { // the requests' own limits still apply
      log.warn("Failed to set an alarm: {}", OneLine.of(String.valueOf(e), 200));
    }
  }

  private void makeRoom() {
    synchronized (this) {
      clearing = false;
      if (waiting.isEmpty()) {
        return;
      }
      makeRoomSoon();
    }
    long before = scheduler.nanoTime() - limits.crowded().toNanos();
    arriving.stream().filter(each -> each.since - before <= 0).forEach(Serving::giveWay);
  }

  /**
   * A request that a thread is processing. If the request exceeds a time limit, the thread is
   * interrupted, but never after it has begun to process another request.
   */
  private final class Serving {
    private final Thread thread;

    /** The time at which the thread began to process the request. */
    private final long since;

    @GuardedBy("this")
    private Scheduler.@Nullable Alarm alarm;

    @GuardedBy("this")
    private boolean arrived;

    @GuardedBy("this")
    private boolean late;

    @GuardedBy("this")
    private boolean ended;

    Serving(Thread thread, long since) {
      this.thread = thread;
      this.since = since;
    }

    /**
     * Sets the timer for the request's arrival.
     *
     * @return false if the timer cannot be set
     */
    synchronized boolean limit() {
      try {
        alarm = scheduler.schedule(this::firstLimit, limits.arrival());
        return true;
      } catch (RuntimeException | Error e) { // no thread for timers, or no memory
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
          over(); // too early is better than never
        }
      }
    }

    /** Interrupts the request's thread, unless the request has arrived. */
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

    boolean hasArrived() {
      arriving.remove(this);
      synchronized (this) {
        arrived = true;
        return !late;
      }
    }

    synchronized void end() {
      ended = true;
      Thread.interrupted();
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /** Returns the number of requests whose connections were closed before the requests were read. */
  int refused() {
    return refused.get();
  }

  /** Returns a future that completes as soon as no request is in progress. */
  synchronized CompletableFuture<Void> idle() {
    idle = new CompletableFuture<>();
    if (busy == 0) {
      idle.complete(null);
    }
    return idle;
  }

  /** Interrupts requests in progress, and closes the connections of all other requests. */
  void close() {
    List<Runnable> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    pool.shutdownNow();
    left.forEach(this::refuse);
  }
}
