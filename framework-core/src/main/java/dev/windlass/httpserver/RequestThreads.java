// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The requests that are being processed but have not arrived completely. */
  private final Set<Serving> arriving = ConcurrentHashMap.newKeySet();

  /** Whether a timer has been set to close the connections of slow requests. */
  private final AtomicBoolean clearing = new AtomicBoolean();

  RequestThreads(String name, Limits limits, Scheduler scheduler, ThreadFactory threads) {
    this.scheduler = scheduler;
    this.limits = limits;
    AtomicInteger made = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(limits.waiting()),
            task -> {
              Thread thread = threads.newThread(task);
              thread.setName(name + "-http-" + made.incrementAndGet());
              if (!thread.isDaemon()) {
                thread.setDaemon(true);
              }
              return thread;
            }) {
          @Override
          protected void terminated() {
            ended.complete(null);
          }
        };
    pool.allowCoreThreadTimeOut(true);
  }

  /** A request that waits for a thread. */
  private record Waiting(RequestThreads threads, Runnable request) implements Runnable {
    @Override
    public void run() {
      threads.serve(request);
    }
  }

  /**
   * Accepts a request. The JDK's server calls this method for each request whose first byte has
   * arrived.
   */
  @Override
  public void execute(Runnable request) {
    try {
      pool.execute(new Waiting(this, request));
    } catch (RejectedExecutionException e) { // no place is free, or the endpoint stops
      refuse(request);
    } catch (RuntimeException | Error e) { // must not end the server's own thread
      log.warn("Refused a request: {}", OneLine.of(String.valueOf(e), 200));
      refuse(request);
    }
    makeRoomSoon();
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
  private void makeRoomSoon() {
    if (pool.getQueue().isEmpty() || clearing.getAndSet(true)) {
      return;
    }
    try {
      scheduler.schedule(this::makeRoom, limits.crowded());
    } catch (RuntimeException | Error e) { // the requests' own limits still apply
      clearing.set(false);
      log.warn("Failed to set an alarm: {}", OneLine.of(String.valueOf(e), 200));
    }
  }

  private void makeRoom() {
    clearing.set(false);
    long before = scheduler.nanoTime() - limits.crowded().toNanos();
    arriving.stream().filter(each -> each.since - before <= 0).forEach(Serving::giveWay);
    makeRoomSoon();
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
      if (!arrived && !late) {
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

  /**
   * Accepts no further requests.
   *
   * @return a future that completes as soon as all requests in progress have completed
   */
  CompletableFuture<Void> shutDown() {
    pool.shutdown();
    return ended;
  }

  /** Interrupts requests in progress, and closes the connections of those that wait. */
  void close() {
    for (Runnable left : pool.shutdownNow()) {
      refuse(((Waiting) left).request());
    }
  }
}
