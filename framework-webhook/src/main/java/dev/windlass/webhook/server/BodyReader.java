// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.scheduling.Scheduler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of one request without blocking a thread. The body must arrive within a time
 * limit, and all bodies together must fit into a memory budget. Slow requests therefore do not
 * occupy threads, and large requests use only a limited amount of memory.
 */
final class BodyReader implements Runnable {

  /**
   * The maximum size of a body: 7 MiB, as in controller-runtime. A request can contain an old and a
   * new object, each with a size of up to 3 MB.
   */
  static final int LARGEST = 7 * 1024 * 1024;

  /** The time within which a body must arrive: 10 s. */
  static final Duration ARRIVAL = Duration.ofSeconds(10);

  /**
   * The maximum total size of all bodies in memory, in bytes: an eighth of the heap, but at most 64
   * MiB and at least {@link #LARGEST}. A body stays in memory until its response has been written.
   */
  static final long BUDGET =
      Math.max(LARGEST, Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8));

  /**
   * The maximum total size of all JSON trees in memory, estimated in bytes: a quarter of the heap.
   * The limit is not higher because the typed objects that are decoded from the trees require about
   * the same amount of memory. A tree counts until its response has been written.
   */
  static final long TREES = Runtime.getRuntime().maxMemory() / 4;

  /** A memory budget that all requests to a server share. */
  static final class Budget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    Budget(long limit) {
      this.limit = limit;
    }

    boolean take(long bytes) {
      if (used.addAndGet(bytes) <= limit) {
        return true;
      }
      used.addAndGet(-bytes);
      return false;
    }

    void release(long bytes) {
      used.addAndGet(-bytes);
    }

    long used() {
      return used.get();
    }
  }

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int TIMEOUT = 408;
  private static final int TOO_LARGE = 413;
  private static final int OVERLOADED = 503;

  private final Content.Source source;
  private final Budget budget;
  private final Consumer<byte[]> arrived;
  private final IntConsumer refused;
  private final Scheduler scheduler;
  private final AtomicBoolean over = new AtomicBoolean();

  /** The timer for the time limit; null until the reader first waits for bytes. */
  private volatile Scheduler.@Nullable Alarm alarm;

  private byte[] body;
  private int length;

  /**
   * Creates a reader. Call {@link #run} to begin.
   *
   * <p>The reader calls exactly one of the consumers, exactly once.
   *
   * @param declared the declared length, which is at most {@link #LARGEST}; negative if unknown
   * @param arrived the consumer of the body; it must release the length of the body from the budget
   * @param refused the consumer of the response's HTTP status if the body could not be received
   */
  BodyReader(
      Content.Source source,
      long declared,
      Budget budget,
      Scheduler scheduler,
      Consumer<byte[]> arrived,
      IntConsumer refused) {
    this.source = source;
    this.budget = budget;
    this.arrived = arrived;
    this.refused = refused;
    // The buffer grows as bytes arrive, so a declared length alone does not allocate memory.
    this.body = new byte[(int) Math.max(0, Math.min(declared, 8_192))];
    this.scheduler = scheduler;
  }

  @Override
  public void run() {
    while (true) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        limitTime();
        source.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        finish(null, BAD_REQUEST);
        return;
      }
      int problem = append(chunk.getByteBuffer());
      boolean last = chunk.isLast();
      chunk.release();
      if (problem != OK) {
        finish(null, problem);
        return;
      }
      if (last) {
        finish(body.length == length ? body : Arrays.copyOf(body, length), OK);
        return;
      }
    }
  }

  /**
   * Starts the timer, unless it has already been started. Most bodies arrive together with their
   * headers and do not need a timer.
   */
  private void limitTime() {
    if (alarm == null) {
      alarm = scheduler.schedule(() -> finish(null, TIMEOUT), ARRIVAL);
    }
  }

  private synchronized int append(ByteBuffer bytes) {
    int more = bytes.remaining();
    if (length + more > LARGEST) {
      return TOO_LARGE;
    }
    if (over.get() || !budget.take(more)) {
      return OVERLOADED;
    }
    if (length + more > body.length) {
      int size = Math.min(LARGEST, Math.max(length + more, body.length * 2));
      body = Arrays.copyOf(body, size);
    }
    bytes.get(body, length, more);
    length += more;
    return OK;
  }

  private void finish(byte @Nullable [] whole, int status) {
    int held;
    synchronized (this) {
      if (!over.compareAndSet(false, true)) {
        return;
      }
      held = length;
    }
    Scheduler.Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
    if (whole == null) {
      budget.release(held);
      refused.accept(status);
    } else {
      arrived.accept(whole);
    }
  }
}
