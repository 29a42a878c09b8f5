// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
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
 * The threads that read requests, produce pages and write responses. The JDK's server occupies one
 * thread from the first byte of a request to the last byte of its response.
 *
 * <p>A client that sends only part of a request must not block other clients. The number of threads
 * is therefore much greater than the number of pages that can be produced concurrently, and
 * requests must arrive within a short time. While other requests wait for a thread, this time is a
 * fraction of a second, and this class closes the connections of slower requests, oldest first. A
 * well-behaved client is not affected, because it sends a request in one piece.
 *
 * <p>If a request exceeds a time limit, this class interrupts its thread. The interrupt closes the
 * connection, because the JDK's server reads and writes through interruptible channels. If no
 * thread is free and no further request can wait, this class closes the connection of a new request
 * in the same way.
 */
final class RequestThreads implements Executor {

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  /** The request that the current thread serves. */
  private static final ThreadLocal<Arriving> CURRENT = new ThreadLocal<>();

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

  /** The requests that wait for a thread, in order of arrival. */
  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  /** The requests that are being processed but have not arrived completely, oldest first. */
  @GuardedBy("this")
  private final Set<Arriving> arriving = new LinkedHashSet<>();

  /** The requests whose threads were interrupted to make room but are not free yet. */
  @GuardedBy("this")
  private final Set<Arriving> leaving = new LinkedHashSet<>();

  /** Whether a timer has been set to close the connections of slow requests. */
  @GuardedBy("this")
  private boolean clearing;

  @GuardedBy("this")
  private int busy;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Void> idle;

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
    } catch (RuntimeException | Error e) { // must not end the server's own thread
      log.warn("Refused a request: {}", OneLine.of(String.valueOf(e), 200));
      refuse(request);
      end();
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
      refuse(request); // without a timer, it could take forever
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
   * Records that the current request has arrived. A request's handler must call this method first.
   *
   * @return false if the request took too long and its connection is being closed
   */
  static boolean hasArrived() {
    Arriving current = CURRENT.get();
    return current == null || current.arrived();
  }

  /**
   * If requests wait for a thread, sets a timer that closes the connections of slow requests. The
   * timer fires when the oldest arriving request exceeds {@link Limits#crowded}.
   */
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
    } catch (RuntimeException | Error e) { // the requests' own limits still apply
      log.warn("Failed to set an alarm: {}", OneLine.of(String.valueOf(e), 200));
    }
  }

  /** Returns the number of waiting requests, minus the number of threads that are being freed. */
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

  /**
   * A request that a thread is processing. If the request exceeds a time limit, the thread is
   * interrupted, but never after it has begun to process another request.
   */
  private final class Arriving {

    /**
     * The time at which the thread began to process the request, as a value of {@link
     * Scheduler#nanoTime}.
     */
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

    boolean arrived() {
      synchronized (this) {
        arrived = true;
      }
      synchronized (RequestThreads.this) {
        arriving.remove(this);
        if (!late() && leaving.remove(this)) {
          clear(); // this request keeps its thread, so another one must make room
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

  /** Returns the number of requests whose connections were closed before the requests were read. */
  int refused() {
    return refused.get();
  }

  /** Returns a future that completes as soon as all requests in progress have completed. */
  synchronized CompletableFuture<Void> idle() {
    CompletableFuture<Void> over = new CompletableFuture<>();
    if (busy == 0) {
      over.complete(null);
    }
    idle = over;
    return over;
  }

  /** Interrupts requests in progress, and closes the connections of all other requests. */
  void close() {
    List<Runnable> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(waiting);
      waiting.clear();
    }
    pool.shutdownNow();
    left.forEach(this::refuse);
  }
}
