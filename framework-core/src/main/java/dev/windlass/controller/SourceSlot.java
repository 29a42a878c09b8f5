// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Cause;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.time.Backoff;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source of a running controller: started on a thread of its own, so that one which blocks
 * holds up no other; tried again until it can be started; and asked until it has synced, which ends
 * the thread.
 *
 * <p>All methods may be called from any thread.
 */
final class SourceSlot {

  /** Delays between attempts to start: 1 s doubled up to 30 s, and up to half as much by chance. */
  static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.5);

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final ControllerConfig config;
  private final Source source;
  private final PrioritySink sink;
  private final Runnable onSynced;
  private final Scheduler scheduler;
  private final Loop loop;
  private final long begunAt;

  private volatile boolean synced;
  private volatile boolean overdue;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;

  @GuardedBy("this")
  private Source.@Nullable Running running;

  /** Attempts that failed. Used by the loop's thread. */
  private int failures;

  /**
   * A slot whose source has not been started.
   *
   * @param onSynced called once, when it has synced
   */
  SourceSlot(
      ControllerConfig config, Source source, int number, PrioritySink sink, Runnable onSynced) {
    this.config = config;
    this.source = source;
    this.sink = sink;
    this.onSynced = onSynced;
    this.scheduler = config.scheduler();
    this.begunAt = scheduler.nanoTime();
    this.loop =
        new Loop(
            config.name() + "-source-" + number, this::step, config.scheduler(), config.threads());
  }

  /** Begins to start the source, and returns at once. */
  void begin() {
    loop.start();
  }

  private Pause step() {
    if (stopped) {
      loop.stop();
      return Pause.UNTIL_WOKEN;
    }
    Source.Running started = running();
    if (started == null) {
      Pause pause = tryToStart();
      warnIfOverdue();
      return pause;
    }
    if (started.hasSynced()) {
      synced = true;
      loop.stop();
      onSynced.run();
      return Pause.UNTIL_WOKEN;
    }
    warnIfOverdue();
    return Pause.of(Controller.SYNC_POLL);
  }

  private synchronized Source.@Nullable Running running() {
    return running;
  }

  private Pause tryToStart() {
    try {
      Source.Running started =
          Objects.requireNonNull(source.start(new Gate()), "a source that has started is not null");
      failure = null;
      boolean late;
      synchronized (this) {
        running = started;
        late = stopped;
      }
      if (late) {
        started.stop();
      }
      return Pause.NONE;
    } catch (Throwable t) { // user code, and the root of a thread
      failure = t;
      Duration delay = RETRY.delay(failures++, config.random());
      log.warn(
          "{}: {} could not be started: {}. Next try in {} s",
          config.name(),
          source,
          t,
          "%.1f".formatted(delay.toMillis() / 1000.0));
      return Pause.of(delay);
    }
  }

  private void warnIfOverdue() {
    if (overdue || !isLate()) {
      return;
    }
    overdue = true;
    log.warn(
        "{}: {} has not synced for {} s, and no worker starts before it has: {}",
        config.name(),
        source,
        config.options().syncTimeout().toSeconds(),
        cause());
  }

  private boolean isLate() {
    return scheduler.nanoTime() - begunAt
        >= Scheduler.saturatedNanos(config.options().syncTimeout());
  }

  /** Whether everything that there was at the start has led to its requests. */
  boolean hasSynced() {
    return synced;
  }

  /** Whether it has not synced in the time that it had. */
  boolean isOverdue() {
    return !synced && isLate();
  }

  /** Why it has not synced or is not up to date; empty if all is well. */
  Optional<String> trouble() {
    Source.Running started = running();
    if (started != null) {
      Optional<String> trouble = started.trouble();
      return trouble.isPresent() || synced || !isLate() ? trouble : Optional.of(cause());
    }
    return failure != null || isLate() ? Optional.of(cause()) : Optional.empty();
  }

  /** What is known about why it takes so long. */
  private String cause() {
    Source.Running started = running();
    Throwable thrown = failure;
    if (started != null) {
      return started.trouble().orElse(source + " has not synced, and does not say why");
    } else if (thrown != null) {
      return source + " could not be started: " + thrown;
    }
    return "the start of " + source + " has not returned";
  }

  /** Ends the source, once and for all; nothing more comes of it. */
  void stop() {
    Source.Running started;
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      started = running;
    }
    loop.stop();
    if (started == null) {
      return;
    }
    try {
      started.stop();
    } catch (RuntimeException | Error e) {
      log.error("{} of {} failed to stop; the others are stopped", source, config.name(), e);
    }
  }

  /** Waits for the thread to end, which a source that blocks in its start may keep from it. */
  boolean join(Duration limit) throws InterruptedException {
    return loop.join(limit);
  }

  /** Lets requests into the queue until the source is stopped. */
  private final class Gate implements PrioritySink {
    @Override
    public void add(Request request, Priority priority) {
      add(request, priority, Cause.UNKNOWN);
    }

    @Override
    public void add(Request request, Priority priority, Cause cause) {
      if (!stopped) {
        sink.add(request, priority, cause);
      }
    }
  }
}
