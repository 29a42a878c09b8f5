// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.keys.RequestGate;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Backoff;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

  private static final Logger log = ControllerLog.get();

  /** A warm-up or a start of the source, from the call until the source has stopped. */
  private final class Start {
    private final boolean isWarmUp;
    private final RequestGate gate = new RequestGate(run.keys());
    private long polledSince;

    /** What has started; null until the call has returned. */
    private Source.@Nullable Running running;

    Start(boolean isWarmUp) {
      this.isWarmUp = isWarmUp;
    }
  }

  private final ControllerConfig config;
  private final Source source;
  private final String name;
  private final ControllerRun run;
  private final Runnable onChange;
  private final Scheduler scheduler;

  /** The warm-up, or null. */
  @GuardedBy("this")
  private @Nullable Start warm;

  /** The start, or null. */
  @GuardedBy("this")
  private @Nullable Start started;

  /** Those that have to stop, and have not stopped yet. */
  @GuardedBy("this")
  private final List<Start> ending = new ArrayList<>(1);

  /** The term for which the source is started, or {@link OwnedKeys#NONE}. */
  @GuardedBy("this")
  private long term;

  /** The time of the first step in the term, or null before the first step of all. */
  @GuardedBy("this")
  private @Nullable Long begunAt;

  /** The time of the next attempt after a failed one. */
  @GuardedBy("this")
  private long retryAt;

  /** The number of failed attempts to start the source. */
  @GuardedBy("this")
  private int failures;

  /** The exception from the last attempt to start or poll the source, or null if it succeeded. */
  @GuardedBy("this")
  private @Nullable Throwable failure;

  /** Whether the source has synced since the controller was started. */
  @GuardedBy("this")
  private boolean synced;

  /** Whether the started source has added the requests for all objects that existed. */
  @GuardedBy("this")
  private boolean complete;

  /** Whether the log says that the source is overdue. */
  @GuardedBy("this")
  private boolean overdue;

  @GuardedBy("this")
  private boolean stopped;

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
    Start current;
    Source.Running running;
    synchronized (this) {
      enterTerm(now);
      if (isSettled()) {
        synced |= !stopped && !mustRun(); // also if there is nothing to prepare
        return NEVER;
      }
      boolean isWarmUp = isWarm() && !(mustRun() && isUp(warm)); // first, it gets warm
      current = isWarmUp ? warm : started;
      running = current == null ? null : current.running;
      if (current == null && ending.isEmpty()) {
        if (now - retryAt < 0) {
          return Duration.ofNanos(retryAt - now);
        }
        current = new Start(isWarmUp);
        warm = isWarmUp ? current : warm;
        started = isWarmUp ? started : current;
      } else if (running == null) {
        current = null;
      }
    }
    boolean warned = warnIfOverdue();
    if (current == null) {
      return warned ? NEVER : config.options().syncTimeout;
    }
    if (running == null) {
      Start start = current;
      run.sourceTasks().send(name, () -> start(start));
      return config.options().syncTimeout;
    }
    return poll(current, running);
  }

  @GuardedBy("this")
  private void enterTerm(long now) {
    long current = run.keys().term();
    if (begunAt == null || current != term) {
      term = current;
      begunAt = now;
      retryAt = now;
      overdue = false;
      failure = null;
    }
  }

  /** Returns whether there is nothing to start or to poll in the current term. */
  @GuardedBy("this")
  private boolean isSettled() {
    return stopped || (mustRun() ? complete : !isWarm() || (isUp(warm) && synced));
  }

  private boolean isKept() {
    return source.kind() == Source.Kind.KEPT;
  }

  @GuardedBy("this")
  private boolean mustRun() {
    return term != OwnedKeys.NONE || (isKept() && config.leading().warmUp());
  }

  /** Returns whether the source is warm while the controller owns no keys. */
  private boolean isWarm() {
    return source.kind() == Source.Kind.REPLAYED && config.leading().warmUp();
  }

  private static boolean isUp(@Nullable Start start) {
    return start != null && start.running != null;
  }

  private Duration poll(Start start, Source.Running running) {
    boolean hasSynced = false;
    Throwable thrown = null;
    try {
      hasSynced = running.hasSynced();
    } catch (Exception | Error e) { // reported by problem()
      FatalErrors.rethrow(e);
      thrown = e;
    }
    synchronized (this) {
      failure = thrown;
      if (!hasSynced) {
        return untilNextPoll(start.polledSince);
      }
      synced = true;
      complete = start == started;
      return Duration.ZERO;
    }
  }

  /**
   * Returns the delay before the next poll. The delay starts at 1 ms, because a source with a
   * filled cache syncs within a few milliseconds. It doubles until 100 ms have passed since the
   * first poll. From then on, it is 100 ms.
   */
  private Duration untilNextPoll(long polledSince) {
    long polled = Duration.ofNanos(scheduler.nanoTime() - polledSince).toMillis();
    long rest = SYNC_POLL.toMillis() - polled;
    return rest <= 0 ? SYNC_POLL : Duration.ofMillis(Math.min(Math.max(polled, 1), rest));
  }

  /** Starts the source, or warms it up. */
  private void start(Start start) {
    Source.Running running = null;
    try {
      running =
          Objects.requireNonNull(
              start.isWarmUp ? source.warmUp() : source.start(start.gate),
              "a source that has started is not null");
    } catch (Throwable t) { // user code at the root of a thread
      FatalErrors.rethrow(t);
      start.gate.shut();
      failed(start, t);
    }
    boolean late;
    synchronized (this) {
      start.running = running;
      start.polledSince = scheduler.nanoTime();
      late = running != null && ending.contains(start);
      if (running != null && !late) {
        failure = null;
        failures = 0;
      }
    }
    if (late) {
      stop(start);
    }
    onChange.run();
  }

  private synchronized void failed(Start start, Throwable t) {
    warm = warm == start ? null : warm;
    started = started == start ? null : started;
    ending.remove(start);
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

  /** Returns whether the log says that the source is overdue. */
  private boolean warnIfOverdue() {
    synchronized (this) {
      if (overdue || !isOverdue()) {
        return overdue;
      }
      overdue = true;
    }
    log.warn(
        "{}: {} has not synced after {} s; workers wait for it: {}",
        config.name(),
        source,
        config.options().syncTimeout.toSeconds(),
        cause());
    return true;
  }

  /** Returns whether the source has synced since the controller was started. */
  public synchronized boolean hasSynced() {
    return synced;
  }

  /**
   * Returns whether the started source has added the requests for all objects that existed at its
   * start.
   */
  synchronized boolean isComplete() {
    return complete;
  }

  /** Returns the name of the source for messages. */
  public String source() {
    return String.valueOf(source);
  }

  /** Returns whether the source has not synced within its time-out. */
  synchronized boolean isOverdue() {
    return begunAt != null
        && !isSettled()
        && scheduler.nanoTime() - begunAt >= Scheduler.saturatedNanos(config.options().syncTimeout);
  }

  /** Returns whether the start waits for an earlier stop. */
  private synchronized boolean waits() {
    return mustRun() && started == null && ending.stream().anyMatch(SourceRunner::isUp);
  }

  private synchronized Source.@Nullable Running running() {
    Start current = mustRun() ? started : warm;
    return current == null ? null : current.running;
  }

  private synchronized @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Returns a description of the source's problem, or empty if there is none. A source has a
   * problem if it has not synced in time, or if it is not up to date.
   */
  public Optional<String> problem() {
    if (failure() != null || waits() || isOverdue()) {
      return Optional.of(cause());
    }
    Source.Running running = running();
    return running == null ? Optional.empty() : problemOf(running);
  }

  /** Returns the reason why the source has not synced yet, as far as it is known. */
  private String cause() {
    Source.Running running = running();
    Throwable thrown = failure();
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
    if (running == null) {
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
    List<Start> up;
    synchronized (this) {
      if (isKept() && config.leading().warmUp()) {
        return;
      }
      term = OwnedKeys.NONE;
      complete = false;
      up = ended(started);
      started = null;
    }
    stopLater(up);
    onChange.run();
  }

  /**
   * Stops the source permanently. This method waits neither for the source to stop, nor for threads
   * that are adding requests.
   */
  void stop() {
    stopLater(endAll());
  }

  /**
   * Stops the source permanently. After this method has returned, the source does not add requests.
   */
  void close() {
    endAll().forEach(this::stop);
    List<Start> late;
    synchronized (this) {
      late = List.copyOf(ending);
    }
    late.forEach(start -> start.gate.close());
  }

  private synchronized List<Start> endAll() {
    stopped = true;
    List<Start> up = ended(started, warm);
    started = null;
    warm = null;
    return up;
  }

  /**
   * Lets no further requests of the given starts pass.
   *
   * @return those that have to be stopped; any other stops when its call returns
   */
  @GuardedBy("this")
  private List<Start> ended(@Nullable Start... starts) {
    List<Start> all = Stream.of(starts).flatMap(Stream::ofNullable).toList();
    all.forEach(start -> start.gate.shut());
    ending.addAll(all);
    return all.stream().filter(SourceRunner::isUp).toList();
  }

  private void stopLater(List<Start> starts) {
    starts.forEach(start -> run.sourceTasks().send(name + "-stop", () -> stop(start)));
  }

  private void stop(Start start) {
    try {
      start.gate.close();
      Objects.requireNonNull(start.running).stop();
    } catch (Exception | Error e) {
      FatalErrors.rethrow(e);
      log.error(
          "Failed to stop {} of {}; stopping the other sources",
          source,
          config.name(),
          OneLine.of(e));
    } finally {
      synchronized (this) {
        ending.remove(start);
      }
      onChange.run();
    }
  }
}
