// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.OneLine;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that read, answer and write requests. A request has one limit for all of that.
 * When it is over, its thread is interrupted, and that closes the connection, because the JDK's
 * server reads and writes through interruptible channels; so a client that sends one byte a minute
 * keeps a thread for no longer than any other. A request for which there is neither a thread nor a
 * place to wait has its connection closed in the same way.
 */
final class RequestThreads implements Executor {

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  private final Scheduler scheduler;
  private final Duration limit;
  private final ThreadPoolExecutor pool;
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger handed = new AtomicInteger();

  @GuardedBy("this")
  private int active;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Void> idle;

  /**
   * No thread yet.
   *
   * @param number of threads
   * @param waiting how many requests may wait for one
   * @param limit how long a request may take, from its first byte to the last of the answer
   */
  RequestThreads(
      String name,
      int number,
      int waiting,
      Duration limit,
      Scheduler scheduler,
      ThreadFactory threads) {
    this.scheduler = scheduler;
    this.limit = limit;
    AtomicInteger made = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            number,
            number,
            0,
            TimeUnit.NANOSECONDS,
            new ArrayBlockingQueue<>(waiting),
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
    begin();
    boolean taken = false;
    try {
      pool.execute(() -> run(request));
      taken = true;
    } catch (RejectedExecutionException e) {
      refuse(request);
    } catch (RuntimeException | Error e) { // no thread: it must not end the server's own
      log.warn("A request is turned away: {}", OneLine.of(String.valueOf(e), 200));
      refuse(request);
    } finally {
      if (!taken) {
        end();
      }
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

  private void run(Runnable request) {
    try {
      Overrun overrun = new Overrun(Thread.currentThread());
      Scheduler.Alarm alarm = alarm(overrun);
      if (alarm == null) {
        refuse(request); // it might take for ever
        return;
      }
      try {
        request.run();
      } finally {
        alarm.cancel();
        overrun.end();
      }
    } finally {
      end();
    }
  }

  /** Null if none can be set. */
  private Scheduler.@Nullable Alarm alarm(Overrun overrun) {
    try {
      return scheduler.schedule(overrun::interrupt, limit);
    } catch (RuntimeException | Error e) { // no thread for alarms, or no memory
      log.warn("A request is turned away: {}", OneLine.of(String.valueOf(e), 200));
      return null;
    }
  }

  /** Interrupts a request that takes too long, and never the next one. */
  private static final class Overrun {
    private final Thread thread;

    @GuardedBy("this")
    private boolean ended;

    Overrun(Thread thread) {
      this.thread = thread;
    }

    synchronized void interrupt() {
      if (!ended) {
        thread.interrupt();
      }
    }

    synchronized void end() {
      ended = true;
      Thread.interrupted();
    }
  }

  private synchronized void begin() {
    active++;
  }

  private void end() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      active--;
      waiting = active == 0 ? idle : null;
    }
    if (waiting != null) {
      waiting.complete(null);
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
    CompletableFuture<Void> waiting = new CompletableFuture<>();
    if (active == 0) {
      waiting.complete(null);
    }
    idle = waiting;
    return waiting;
  }

  /** Interrupts what is left. */
  void close() {
    pool.shutdownNow();
  }
}
