// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.sources;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Gate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.RunState;
import dev.windlass.health.Pulse;
import dev.windlass.object.OneLine;
import dev.windlass.time.Backoff;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One source of a running controller: started on a thread of its own, so that one which blocks
 * holds up no other; tried again until it can be started; and asked until it has synced, which ends
 * the thread. It is stopped on another thread, since that may block as well.
 *
 * <p>On a replica that does not lead yet, a source that can is only warmed up; it is started when
 * the replica leads, and what was warm is stopped after that.
 *
 * <p>All methods may be called from any thread.
 */
public final class SourceSlot {

  /** Delays between attempts to start: 1 s doubled up to 30 s, and up to half as much by chance. */
  static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.5);

  /** How often the sources are asked whether they have synced: 100 ms (client-go, 002-44). */
  public static final Duration SYNC_POLL = Duration.ofMillis(100);

  private static final Logger log = ControllerLog.get();

  private final ControllerConfig config;
  private final Source source;
  private final String name;
  private final RunState run;
  private final StartedSources startedSources;
  private final Runnable onSynced;
  private final Scheduler scheduler;
  private final Loop loop;

  /** When its start, or before that its warm-up, began. */
  private volatile long begunAt;

  /** Whether it has been in sync, warm or started. */
  private volatile boolean synced;

  /** Whether all that there was at its start has led to its requests. */
  private volatile boolean complete;

  /** Whether it is only warm. */
  private volatile boolean warm;

  private volatile boolean overdue;
  private volatile boolean stopped;

  /** What the last attempt to start it, or the last question whether it has synced, threw. */
  private volatile @Nullable Throwable failure;

  /** Whether an earlier run of it has not ended. */
  private volatile boolean waits;

  @GuardedBy("this")
  private Source.@Nullable Running running;

  /** The way into the queue of the latest attempt. */
  @GuardedBy("this")
  private @Nullable Gate gate;

  /** Attempts that failed. Used by the loop's thread. */
  private int failures;

  /**
   * A slot whose source has not been started.
   *
   * @param number among the sources of the run, for names of threads
   * @param startedSources those of all runs of the controller
   * @param onSynced called once, when it has synced
   */
  public SourceSlot(
      ControllerConfig config,
      Source source,
      int number,
      RunState run,
      StartedSources startedSources,
      Runnable onSynced) {
    this.config = config;
    this.source = source;
    this.name = "source-" + number;
    this.run = run;
    this.startedSources = startedSources;
    this.onSynced = onSynced;
    this.scheduler = config.scheduler();
    this.begunAt = scheduler.nanoTime();
    this.loop =
        new Loop(config.name() + "-" + name, this::step, config.scheduler(), config.threads());
  }

  /** Begins to start the source, and returns at once. */
  public void begin() {
    loop.start();
  }

  /** The replica leads: what was only warmed up is started. */
  public void release() {
    loop.wake();
  }

  private Pause step() {
    if (stopped) {
      loop.stop();
      return Pause.UNTIL_WOKEN;
    }
    Source.Running started = running();
    if (started == null) {
      waits = !startedSources.begin(source);
      Pause pause = waits ? Pause.of(SYNC_POLL) : tryToStart(null);
      warnIfOverdue();
      return pause;
    }
    if (warm && run.standby().isReleased()) {
      begunAt = scheduler.nanoTime();
      return tryToStart(started);
    }
    if (saysItHasSynced(started)) {
      return synced();
    }
    warnIfOverdue();
    return Pause.of(SYNC_POLL);
  }

  private Pause synced() {
    synced = true;
    if (!warm) {
      complete = true;
      loop.stop();
    }
    onSynced.run();
    return Pause.UNTIL_WOKEN;
  }

  private boolean saysItHasSynced(Source.Running started) {
    try {
      boolean says = started.hasSynced();
      failure = null;
      return says;
    } catch (Exception | Error e) { // told as trouble
      failure = e;
      return false;
    }
  }

  private synchronized Source.@Nullable Running running() {
    return running;
  }

  /** Starts it, or warms it up; {@code before} is what it has been warmed up to, if it was. */
  private Pause tryToStart(Source.@Nullable Running before) {
    Gate own = new Gate(new QueueSink(run));
    boolean open;
    synchronized (this) {
      gate = own;
      open = !stopped;
    }
    if (!open) { // whoever stopped it did not see this gate
      endedUnless(before);
      return Pause.NONE;
    }
    boolean onlyWarm;
    Source.Running started;
    try {
      Optional<Source.Running> warmed =
          run.standby().isReleased() ? Optional.empty() : source.warmUp();
      onlyWarm = warmed.isPresent();
      started =
          Objects.requireNonNull(
              onlyWarm ? warmed.get() : source.start(own), "a source that has started is not null");
    } catch (Throwable t) { // user code, and the root of a thread
      own.shut();
      endedUnless(before);
      return afterFailure(t);
    }
    failure = null;
    boolean late;
    synchronized (this) {
      running = started;
      warm = onlyWarm;
      late = stopped;
    }
    if (late) {
      stop(started, own);
    } else if (before != null) {
      stop(before);
    }
    return Pause.NONE;
  }

  private void endedUnless(Source.@Nullable Running goesOn) {
    if (goesOn == null) {
      startedSources.ended(source);
    }
  }

  private Pause afterFailure(Throwable t) {
    failure = t;
    Duration delay = RETRY.delay(failures++, config.random());
    log.warn(
        "{}: {} could not be started: {}. Next try in {} s",
        config.name(),
        source,
        OneLine.of(t.toString(), 600),
        "%.1f".formatted(delay.toMillis() / 1000.0));
    return Pause.of(delay);
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

  /** Whether its cache, if it has one, has been in sync. */
  public boolean hasSynced() {
    return synced;
  }

  /** Whether everything that there was at the start has led to its requests. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether it has come as far as it can before the next thing happens: a release, or events. */
  private boolean isSettled() {
    return warm ? synced : complete;
  }

  /** What it is a slot for, for people. */
  public String source() {
    return String.valueOf(source);
  }

  /** Whether it has not synced in the time that it had. */
  public boolean isOverdue() {
    return !isSettled() && isLate();
  }

  /** Why it has not synced or is not up to date; empty if all is well. */
  public Optional<String> trouble() {
    Source.Running started = running();
    if (started == null || failure != null) {
      return failure != null || waits || isLate() ? Optional.of(cause()) : Optional.empty();
    }
    Optional<String> trouble = troubleOf(started);
    return trouble.isPresent() || isSettled() || !isLate() ? trouble : Optional.of(cause());
  }

  /** What is known about why it takes so long. */
  private String cause() {
    Source.Running started = running();
    Throwable thrown = failure;
    if (thrown != null) {
      return source
          + (started == null ? " could not be started: " : " can't say whether it has synced: ")
          + thrown;
    } else if (started != null) {
      return troubleOf(started).orElse(source + " has not synced, and does not say why");
    } else if (waits) {
      return source + " has not ended since the last stop, and is not started before";
    }
    return "the start of " + source + " has not returned";
  }

  /** The heartbeats of what must be running while it is started, under names of their own. */
  public List<Pulse> pulses() {
    Source.Running started = running();
    if (started == null || stopped) {
      return List.of();
    }
    try {
      return started.loops().stream()
          .map(loop -> Pulse.of(loop).named(name + ", " + source + ": " + loop.name()))
          .toList();
    } catch (Exception | Error e) { // user code; a loop that can't be asked is no heartbeat
      return List.of(new Pulse(name + ", " + source, true, Duration.ZERO, failed(e), 0));
    }
  }

  private static Optional<String> failed(Throwable thrown) {
    return Optional.of(OneLine.of(String.valueOf(thrown), 200));
  }

  private Optional<String> troubleOf(Source.Running started) {
    try {
      return Objects.requireNonNull(started.trouble(), "its trouble is null");
    } catch (Exception | Error e) { // one bad source must not hide how the others are
      return Optional.of(source + " can't say how it is: " + e);
    }
  }

  /** Ends the source, once and for all; waits neither for it nor for requests on their way. */
  public void stop() {
    end(stopping -> run.errands().send(name + "-stop", stopping));
  }

  /** Ends the source, once and for all; when this has returned, nothing more comes of it. */
  public void close() {
    end(Runnable::run);
    Gate shut;
    synchronized (this) {
      shut = gate;
    }
    if (shut != null) {
      shut.close();
    }
  }

  private void end(Consumer<Runnable> how) {
    Source.Running started;
    Gate open;
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      started = running;
      open = gate;
    }
    loop.stop();
    if (open != null) {
      open.shut();
      if (started != null) { // else the thread that starts it stops it
        how.accept(() -> stop(started, open));
      }
    }
  }

  private void stop(Source.Running started, Gate open) {
    try {
      open.close();
      stop(started);
    } finally {
      startedSources.ended(source);
    }
  }

  private void stop(Source.Running started) {
    try {
      started.stop();
    } catch (Exception | Error e) {
      log.error(
          "{} of {} failed to stop; the others are stopped", source, config.name(), OneLine.of(e));
    }
  }

  /** Waits for the thread to end, which a source that blocks in its start may keep from it. */
  public boolean join(Duration limit) throws InterruptedException {
    return loop.join(limit);
  }

  /** Whether the thread has not ended. */
  public boolean isRunning() {
    return loop.isRunning();
  }
}
