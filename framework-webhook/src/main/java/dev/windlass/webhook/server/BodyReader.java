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
 * limit, and all bodies together must fit into a memory budget, so slow or large requests do not
 * occupy threads, and occupy only a limited amount of memory.
 */
final class BodyReader implements Runnable {

  /**
   * The maximum size of a body: 7 MiB, as in controller-runtime. A request can contain the old and
   * the new object, of up to 3 MB each.
   */
  static final int LARGEST = 7 * 1024 * 1024;

  /** The time limit for the arrival of a body. */
  static final Duration ARRIVAL = Duration.ofSeconds(10);

  /**
   * The maximum number of bytes of all bodies that are held until their responses are written: an
   * eighth of the heap, but at most 64 MiB, and at least one body.
   */
  static final long BUDGET =
      Math.max(LARGEST, Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8));

  /**
   * The maximum estimated bytes of the JSON trees of all bodies, which are held until their
   * responses are written: a quarter of the heap, because the typed objects require about the same
   * amount.
   */
  static final long TREES = Runtime.getRuntime().maxMemory() / 4;

  /** The memory that one server's requests share. */
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

  /** The timer of the time limit; null until the reader first waits for bytes. */
  private volatile Scheduler.@Nullable Alarm alarm;

  private byte[] body;
  private int length;

  /**
   * Creates a reader. Call {@link #run} to begin.
   *
   * @param declared the declared length, which is at most {@link #LARGEST}; negative if unknown
   * @param arrived the consumer that receives the body, and must release the length of the body
   *     from the budget
   * @param refused the consumer that receives the HTTP status of the response if the body could not
   *     be received. The reader calls exactly one of the two consumers, once
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

  /** Starts the time limit. Most bodies arrive with their headers and do not need a time limit. */
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
