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
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Starts, polls and stops one source of a controller. The controller's starter thread calls {@link
 * #step} until the source has synced. The source's {@code start} and {@code stop} have threads of
 * their own, so that a source that blocks delays neither other sources nor the end of a term. A
 * start that fails is retried.
 *
 * <p>What the runner does while the controller owns no keys depends on the {@link Source.Kind}. A
 * source whose requests are kept runs from the controller's start to its stop. Any other source is
 * started with each term, and stopped when the term ends; in between, a source whose requests can
 * be replayed is warm. If the stop does not return, the next start waits for it.
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

  /** The result of {@link #step} if there is nothing to do before the source changes. */
  static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  /**
   * The delay before the second poll: 1 ms. The delay doubles with each poll until {@link
   * #SYNC_POLL} has passed since the first poll.
   */
  private static final Duration FIRST_POLL = Duration.ofMillis(1);

  private static final Logger log = ControllerLog.get();

  /** A source that was warmed up or started, and the gate for its requests. */
  private record Started(Source.Running running, RequestGate gate) {}

  private final ControllerConfig config;
  private final Source source;
  private final String name;
  private final ControllerRun run;
  private final Runnable onChange;
  private final Scheduler scheduler;

  /** The warm source, or null. */
  @GuardedBy("this")
  private @Nullable Started warm;

  /** The started source, or null. */
  @GuardedBy("this")
  private @Nullable Started started;

  /** The gate of the start or warm-up that is in progress, or null. */
  @GuardedBy("this")
  private @Nullable RequestGate starting;

  /** The number of calls of {@code stop} that have not returned. */
  @GuardedBy("this")
  private int stops;

  /** The time of the next attempt after a failed one. */
  @GuardedBy("this")
  private long retryAt;

  /** The number of failed attempts to start the source. */
  @GuardedBy("this")
  private int failures;

  /** The term for which the source is started, or {@link OwnedKeys#NONE}. */
  private volatile long term;

  /** The time at which the warm-up or the start began, or null before the first step. */
  private volatile @Nullable Long begunAt;

  /** The time of the first poll. */
  private volatile long polledSince;

  /** Whether the source has synced since the controller was started. */
  private volatile boolean synced;

  /** Whether the started source has added the requests for all objects that existed. */
  private volatile boolean complete;

  private volatile boolean overdue;
  private volatile boolean stopped;

  /** The exception from the last attempt to start or poll the source, or null if it succeeded. */
  private volatile @Nullable Throwable failure;

  /**
   * Creates a runner without starting its source.
   *
   * @param number the number of the source in the controller, for thread names
   * @param onChange makes the starter thread call {@link #step}
   */
  SourceRunner(
      ControllerConfig config, Source source, int number, ControllerRun run, Runnable onChange) {
    this.config = config;
    this.source = source;
    this.name = "source-" + number;
    this.run = run;
    this.onChange = onChange;
    this.scheduler = config.scheduler();
  }

  /**
   * Warms up, starts or polls the source if that is due. Does not block.
   *
   * @return the time until the next step, or {@link #NEVER}
   */
  Duration step() {
    long now = scheduler.nanoTime();
    Started begun;
    RequestGate gate = null;
    boolean starts;
    synchronized (this) {
      long current = run.keys().term();
      if (begunAt == null || current != term) {
        term = current;
        begunAt = now;
        retryAt = now;
        overdue = false;
        failure = null;
      }
      if (stopped || isSettled()) {
        synced |= !stopped && !mustRun(); // also if there is nothing to prepare
        return NEVER;
      }
      starts = mustRun() && !(isWarm() && warm == null); // first, it gets warm
      begun = starts ? started : mustRun() ? null : warm;
      if (begun == null && starting == null && stops == 0) {
        if (now - retryAt < 0) {
          return Duration.ofNanos(retryAt - now);
        }
        gate = new RequestGate(run.keys());
        starting = gate;
      }
    }
    if (gate != null) {
      RequestGate open = gate;
      run.sourceErrands().send(name, () -> start(open, starts));
    }
    warnIfOverdue();
    if (begun == null) {
      return overdue ? NEVER : config.options().syncTimeout;
    }
    return saysItHasSynced(begun.running()) ? synced(begun) : untilNextPoll();
  }

  /** Returns whether the source is as it has to be in the current term. */
  @GuardedBy("this")
  private boolean isSettled() {
    return mustRun() ? complete : !isWarm() || (warm != null && synced);
  }

  private boolean isKept() {
    return source.kind() == Source.Kind.KEPT;
  }

  private boolean mustRun() {
    return term != OwnedKeys.NONE || (isKept() && config.leading().warmUp());
  }

  /** Returns whether the source is warm while the controller owns no keys. */
  private boolean isWarm() {
    return source.kind() == Source.Kind.REPLAYED && config.leading().warmUp();
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

  private synchronized Duration synced(Started current) {
    synced = true;
    complete = current.equals(started);
    return Duration.ZERO;
  }

  private boolean saysItHasSynced(Source.Running running) {
    try {
      boolean says = running.hasSynced();
      failure = null;
      return says;
    } catch (Exception | Error e) { // reported by problem()
      FatalErrors.rethrow(e);
      failure = e;
      return false;
    }
  }

  /** Starts the source, or warms it up. */
  private void start(RequestGate gate, boolean starts) {
    Started now = null;
    try {
      Source.Running running = starts ? source.start(gate) : source.warmUp();
      now =
          new Started(
              Objects.requireNonNull(running, "a source that has started is not null"), gate);
    } catch (Throwable t) { // user code at the root of a thread
      FatalErrors.rethrow(t);
      gate.shut();
      startFailed(t);
    }
    boolean late;
    synchronized (this) {
      starting = null;
      late = now != null && !gate.isOpen(); // the source was stopped, or its term has ended
      if (late) {
        stops++;
      } else if (now != null) {
        failure = null;
        failures = 0;
        polledSince = scheduler.nanoTime();
        started = starts ? now : started;
        warm = starts ? warm : now;
      }
    }
    if (late) {
      stop(Objects.requireNonNull(now));
    }
    onChange.run();
  }

  private synchronized void startFailed(Throwable t) {
    failure = t;
    Duration delay = RETRY.delay(failures++, config.random());
    retryAt = scheduler.nanoTime() + delay.toNanos();
    log.warn(
        "{}: Failed to start {}: {}; retrying in {} s",
        config.name(),
        source,
        OneLine.of(t.toString(), 600),
        "%.1f".formatted(delay.toMillis() / 1000.0));
  }

  private void warnIfOverdue() {
    if (overdue || !isOverdue()) {
      return;
    }
    overdue = true;
    log.warn(
        "{}: {} has not synced after {} s; workers wait for it: {}",
        config.name(),
        source,
        config.options().syncTimeout.toSeconds(),
        cause());
  }

  /** Returns whether the source has synced since the controller was started. */
  public boolean hasSynced() {
    return synced;
  }

  /**
   * Returns whether the started source has added the requests for all objects that existed at its
   * start.
   */
  boolean isComplete() {
    return complete;
  }

  /** Returns the name of the source for messages. */
  public String source() {
    return String.valueOf(source);
  }

  /** Returns whether the source has not synced within its time-out. */
  boolean isOverdue() {
    Long begun = begunAt;
    synchronized (this) {
      if (begun == null || isSettled()) {
        return false;
      }
    }
    return scheduler.nanoTime() - begun >= Scheduler.saturatedNanos(config.options().syncTimeout);
  }

  /** Returns whether the start waits for an earlier stop. */
  private synchronized boolean waits() {
    return stops > 0 && started == null && mustRun();
  }

  private synchronized Source.@Nullable Running running() {
    Started current = mustRun() ? started : warm;
    return current == null ? null : current.running();
  }

  /**
   * Returns a description of the source's problem, or empty if there is none. A source has a
   * problem if it has not synced in time, or if it is not up to date.
   */
  public Optional<String> problem() {
    Source.Running running = running();
    if (running == null || failure != null) {
      return failure != null || waits() || isOverdue() ? Optional.of(cause()) : Optional.empty();
    }
    Optional<String> problem = problemOf(running);
    return problem.isPresent() || !isOverdue() ? problem : Optional.of(cause());
  }

  /** Returns the reason why the source has not synced yet, as far as it is known. */
  private String cause() {
    Source.Running running = running();
    Throwable thrown = failure;
    if (thrown != null) {
      return source
          + (running == null
              ? " could not be started: "
              : " failed to report whether it has synced: ")
          + thrown;
    } else if (waits()) {
      return source + " has not stopped since the last term; it can't start until it ends";
    } else if (running != null) {
      return problemOf(running).orElse(source + " has not synced and reports no cause");
    }
    return "the start of " + source + " has not returned";
  }

  /**
   * Returns the heartbeats of the loops that must run while the source is started. Each heartbeat
   * has a unique name.
   */
  List<Heartbeat> heartbeats() {
    Source.Running running = running();
    if (running == null || stopped) {
      return List.of();
    }
    try {
      return running.loops().stream()
          .map(each -> Heartbeat.of(each).named(name + ", " + source + ": " + each.name()))
          .toList();
    } catch (Exception | Error e) { // user code; its failure counts as a failed round
      FatalErrors.rethrow(e);
      return List.of(new Heartbeat(name + ", " + source, true, Duration.ZERO, failed(e), 0));
    }
  }

  private static Optional<String> failed(Throwable thrown) {
    return Optional.of(OneLine.of(String.valueOf(thrown), 200));
  }

  private Optional<String> problemOf(Source.Running running) {
    try {
      return Objects.requireNonNull(running.problem(), "its problem is null");
    } catch (Exception | Error e) { // a failing source must not hide the state of others
      FatalErrors.rethrow(e);
      return Optional.of(source + " failed to report its state: " + e);
    }
  }

  /**
   * Ends the term: the requests of a source that is not kept no longer pass, and the source stops.
   * A source that can be replayed stays warm. Does not block.
   */
  void lose() {
    Started ending = null;
    synchronized (this) {
      if (!isKept() || !config.leading().warmUp()) {
        term = OwnedKeys.NONE;
        ending = started;
        started = null;
        complete = false;
        shut(starting);
        shut(ending == null ? null : ending.gate());
        stops += ending == null ? 0 : 1;
      }
    }
    stopLater(ending);
    onChange.run();
  }

  private static void shut(@Nullable RequestGate gate) {
    if (gate != null) {
      gate.shut();
    }
  }

  /**
   * Stops the source permanently. This method waits neither for the source to stop, nor for threads
   * that are adding requests.
   */
  void stop() {
    end(this::stopLater);
  }

  /**
   * Stops the source permanently. After this method has returned, the source does not add requests.
   */
  void close() {
    RequestGate late;
    synchronized (this) {
      late = starting;
    }
    end(this::stop);
    if (late != null) {
      late.close();
    }
  }

  private void end(Consumer<Started> how) {
    List<Started> ending;
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      ending = Stream.of(started, warm).flatMap(Stream::ofNullable).toList();
      stops += ending.size();
      shut(starting);
      ending.forEach(each -> each.gate().shut());
    }
    ending.forEach(how);
  }

  private void stopLater(@Nullable Started ending) {
    if (ending != null) {
      run.sourceErrands().send(name + "-stop", () -> stop(ending));
    }
  }

  private void stop(Started ending) {
    try {
      ending.gate().close();
      ending.running().stop();
    } catch (Exception | Error e) {
      FatalErrors.rethrow(e);
      log.error(
          "Failed to stop {} of {}; stopping the other sources",
          source,
          config.name(),
          OneLine.of(e));
    } finally {
      synchronized (this) {
        stops--;
      }
      onChange.run();
    }
  }
}
