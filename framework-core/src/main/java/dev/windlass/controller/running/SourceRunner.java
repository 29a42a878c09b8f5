// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.RequestGate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs one source of a controller. A separate thread starts the source, so that a source that
 * blocks does not delay other sources. If the start fails, the thread retries it. It then polls the
 * source until the source has synced, and terminates. Another thread stops the source, because
 * {@code stop} can also block.
 *
 * <p>On a replica that is not the leader yet, the runner warms up the source. It starts the source
 * immediately if the source does not support a warm-up. When the replica becomes the leader, the
 * runner starts the source, and then stops the warm-up.
 *
 * <p>This class is thread-safe.
 */
public final class SourceRunner {

  /**
   * The delays between attempts to start a source. The first delay is 1 s, and each attempt doubles
   * it up to 30 s. Each delay is randomly extended by up to 50 %.
   */
  static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.5);

  /** The interval between checks whether a source has synced: 100 ms, as in client-go. */
  public static final Duration SYNC_POLL = Duration.ofMillis(100);

  /**
   * The delay before the second poll: 1 ms. The delay doubles with each poll until {@link
   * #SYNC_POLL} has passed since the first poll.
   */
  private static final Duration FIRST_POLL = Duration.ofMillis(1);

  private static final Logger log = ControllerLog.get();

  private final ControllerConfig config;
  private final Source source;
  private final String name;
  private final RunContext run;
  private final StartedSources startedSources;
  private final Runnable onSynced;
  private final Scheduler scheduler;
  private final Loop loop;

  /** The {@link Scheduler#nanoTime} at which the start or the preceding warm-up began. */
  private volatile long begunAt;

  /** Whether the source has synced since it was warmed up or started. */
  private volatile boolean synced;

  /** Whether the source has added the requests for all objects that existed at its start. */
  private volatile boolean complete;

  /** Whether the source is warmed up but not started. */
  private volatile boolean warm;

  private volatile boolean overdue;
  private volatile boolean stopped;

  /**
   * The exception from the last attempt to start the source, or from the last poll. Null if that
   * attempt or poll succeeded.
   */
  private volatile @Nullable Throwable failure;

  /** Whether the start is waiting for an earlier run of the source to stop. */
  private volatile boolean waits;

  @GuardedBy("this")
  private Source.@Nullable Running running;

  /** The gate to the queue for the latest attempt to start the source. */
  @GuardedBy("this")
  private @Nullable RequestGate gate;

  /** The number of failed attempts to start the source. Only the loop's thread uses this field. */
  private int failures;

  /**
   * The time of the first poll after the start or the warm-up, as a value of {@link
   * Scheduler#nanoTime}. Only the loop's thread uses this field.
   */
  private long polledSince;

  /**
   * Creates a runner without starting its source.
   *
   * @param number the number of the source in the run, for thread names
   * @param startedSources the started sources of all the controller's runs
   * @param onSynced the action to perform when the source has synced, after a warm-up or a start
   */
  SourceRunner(
      ControllerConfig config,
      Source source,
      int number,
      RunContext run,
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

  /** Starts the thread that starts the source. This method does not block. */
  void begin() {
    loop.start();
  }

  /** Starts a warmed-up source after this replica has become the leader. Does not block. */
  void release() {
    loop.wake();
  }

  private StepDelay step() {
    if (stopped) {
      loop.stop();
      return StepDelay.UNTIL_WOKEN;
    }
    Source.Running started = running();
    if (started == null) {
      waits = !startedSources.begin(source);
      StepDelay delay = waits ? StepDelay.of(SYNC_POLL) : tryToStart(null);
      warnIfOverdue();
      return delay;
    }
    if (warm && run.intake().isReleased()) {
      begunAt = scheduler.nanoTime();
      return tryToStart(started);
    }
    if (saysItHasSynced(started)) {
      return synced();
    }
    warnIfOverdue();
    return StepDelay.of(untilNextPoll());
  }

  /**
   * Returns the delay before the next poll. The delay starts at 1 ms, because a source with a
   * filled cache syncs within a few milliseconds. It doubles until 100 ms have passed since the
   * first poll. From then on, it is 100 ms.
   */
  private Duration untilNextPoll() {
    Duration polled = Duration.ofNanos(scheduler.nanoTime() - polledSince);
    Duration rest = SYNC_POLL.minus(polled);
    if (rest.compareTo(FIRST_POLL) < 0) {
      return SYNC_POLL;
    }
    Duration next = polled.compareTo(FIRST_POLL) < 0 ? FIRST_POLL : polled;
    return next.compareTo(rest) < 0 ? next : rest;
  }

  private StepDelay synced() {
    synced = true;
    if (!warm) {
      complete = true;
      loop.stop();
    }
    onSynced.run();
    return StepDelay.UNTIL_WOKEN;
  }

  private boolean saysItHasSynced(Source.Running started) {
    try {
      boolean says = started.hasSynced();
      failure = null;
      return says;
    } catch (Exception | Error e) { // reported by problem()
      failure = e;
      return false;
    }
  }

  private synchronized Source.@Nullable Running running() {
    return running;
  }

  /**
   * Starts the source. On a standby replica, warms it up instead if it supports a warm-up.
   *
   * @param before the preceding warm-up, or null if there was none
   */
  private StepDelay tryToStart(Source.@Nullable Running before) {
    RequestGate own = new RequestGate(run.intake());
    boolean open;
    synchronized (this) {
      gate = own;
      open = !stopped;
    }
    if (!open) { // stopped before this gate was visible
      endedUnless(before);
      return StepDelay.NONE;
    }
    boolean onlyWarm;
    Source.Running started;
    try {
      Optional<Source.Running> warmed =
          run.intake().isReleased() ? Optional.empty() : source.warmUp();
      onlyWarm = warmed.isPresent();
      started =
          Objects.requireNonNull(
              onlyWarm ? warmed.get() : source.start(own), "a source that has started is not null");
    } catch (Throwable t) { // user code at the root of a thread
      FatalErrors.rethrow(t);
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
    polledSince = scheduler.nanoTime();
    if (late) {
      stop(started, own);
    } else if (before != null) {
      stop(before);
    }
    return StepDelay.NONE;
  }

  private void endedUnless(Source.@Nullable Running goesOn) {
    if (goesOn == null) {
      startedSources.ended(source);
    }
  }

  private StepDelay afterFailure(Throwable t) {
    failure = t;
    Duration delay = RETRY.delay(failures++, config.random());
    log.warn(
        "{}: Failed to start {}: {}; retrying in {} s",
        config.name(),
        source,
        OneLine.of(t.toString(), 600),
        "%.1f".formatted(delay.toMillis() / 1000.0));
    return StepDelay.of(delay);
  }

  private void warnIfOverdue() {
    if (overdue || !isLate()) {
      return;
    }
    overdue = true;
    log.warn(
        "{}: {} has not synced after {} s; workers wait for it: {}",
        config.name(),
        source,
        config.options().syncTimeout().toSeconds(),
        cause());
  }

  private boolean isLate() {
    return scheduler.nanoTime() - begunAt
        >= Scheduler.saturatedNanos(config.options().syncTimeout());
  }

  /** Returns whether the source has synced since it was warmed up or started. */
  public boolean hasSynced() {
    return synced;
  }

  /**
   * Returns whether the source has added the requests for all objects that existed at its start.
   */
  boolean isComplete() {
    return complete;
  }

  /** Returns whether the runner has completed its current task: the warm-up or the start. */
  private boolean isSettled() {
    return warm ? synced : complete;
  }

  /** Returns the name of the source for messages. */
  public String source() {
    return String.valueOf(source);
  }

  /** Returns whether the source has not synced within its time-out. */
  boolean isOverdue() {
    return !isSettled() && isLate();
  }

  /**
   * Returns a description of the source's problem, or empty if there is none. A source has a
   * problem if it has not synced in time, or if it is not up to date.
   */
  public Optional<String> problem() {
    Source.Running started = running();
    if (started == null || failure != null) {
      return failure != null || waits || isLate() ? Optional.of(cause()) : Optional.empty();
    }
    Optional<String> problem = problemOf(started);
    return problem.isPresent() || isSettled() || !isLate() ? problem : Optional.of(cause());
  }

  /** Returns the reason why the source has not synced yet, as far as it is known. */
  private String cause() {
    Source.Running started = running();
    Throwable thrown = failure;
    if (thrown != null) {
      return source
          + (started == null
              ? " could not be started: "
              : " failed to report whether it has synced: ")
          + thrown;
    } else if (started != null) {
      return problemOf(started).orElse(source + " has not synced and reports no cause");
    } else if (waits) {
      return source + " is still running since the last stop; it can't start until it ends";
    }
    return "the start of " + source + " has not returned";
  }

  /**
   * Returns the heartbeats of the loops that must run while the source is started. Each heartbeat
   * has a unique name.
   */
  List<Heartbeat> heartbeats() {
    Source.Running started = running();
    if (started == null || stopped) {
      return List.of();
    }
    try {
      return started.loops().stream()
          .map(loop -> Heartbeat.of(loop).named(name + ", " + source + ": " + loop.name()))
          .toList();
    } catch (Exception | Error e) { // user code; its failure counts as a failed round
      return List.of(new Heartbeat(name + ", " + source, true, Duration.ZERO, failed(e), 0));
    }
  }

  private static Optional<String> failed(Throwable thrown) {
    return Optional.of(OneLine.of(String.valueOf(thrown), 200));
  }

  private Optional<String> problemOf(Source.Running started) {
    try {
      return Objects.requireNonNull(started.problem(), "its problem is null");
    } catch (Exception | Error e) { // a failing source must not hide the state of others
      return Optional.of(source + " failed to report its state: " + e);
    }
  }

  /**
   * Stops the source permanently. This method waits neither for the source to stop, nor for threads
   * that are adding requests.
   */
  void stop() {
    end(stopping -> run.errands().send(name + "-stop", stopping));
  }

  /**
   * Stops the source permanently. After this method has returned, the source does not add requests.
   */
  void close() {
    end(Runnable::run);
    RequestGate shut;
    synchronized (this) {
      shut = gate;
    }
    if (shut != null) {
      shut.close();
    }
  }

  private void end(Consumer<Runnable> how) {
    Source.Running started;
    RequestGate open;
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
      if (started != null) { // otherwise the starting thread stops it
        how.accept(() -> stop(started, open));
      }
    }
  }

  private void stop(Source.Running started, RequestGate open) {
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
          "Failed to stop {} of {}; stopping the other sources",
          source,
          config.name(),
          OneLine.of(e));
    }
  }

  /**
   * Waits for the thread to terminate. The thread may not terminate within the limit if the
   * source's {@code start} method blocks.
   *
   * @return whether the thread has terminated
   */
  boolean join(Duration limit) throws InterruptedException {
    return loop.join(limit);
  }

  /** Returns whether the thread is still running. */
  boolean isRunning() {
    return loop.isRunning();
  }
}
