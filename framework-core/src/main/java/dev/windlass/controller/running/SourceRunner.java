// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.PrioritySink;
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

  /** What has become of a call that warms up or starts the source. */
  private sealed interface State {

    /** There is no call. */
    record Down() implements State {}

    /** The call has not returned. */
    record Calling(RequestGate gate) implements State {}

    /**
     * The call has returned, and the source runs.
     *
     * @param since the time of the return
     * @param synced whether the source has reported that it has synced
     */
    record Up(RequestGate gate, Source.Running running, long since, boolean synced)
        implements State {}
  }

  private static final State DOWN = new State.Down();

  /** One of the two ways to run the source: warmed up, or started. */
  private final class Way {
    private final boolean isWarmUp;

    private State state = DOWN; // read and written under the lock of the runner

    Way(boolean isWarmUp) {
      this.isWarmUp = isWarmUp;
    }

    Source.Running call(RequestGate gate) throws Exception {
      return Objects.requireNonNull(
          isWarmUp ? source.warmUp() : source.start(gate), "a source that has started is not null");
    }
  }

  private final ControllerConfig config;
  private final Source source;
  private final int number;
  private final String name;
  private final ControllerRun run;
  private final boolean isReplay;
  private final PrioritySink sink;
  private final Scheduler scheduler;

  private final Way warm = new Way(true);
  private final Way started = new Way(false);

  /** The calls that have to end: each is stopped once it has returned. */
  @GuardedBy("this")
  private final List<State> ending = new ArrayList<>(1);

  /** The term for which the source is started, or {@link OwnedKeys#NONE}. */
  @GuardedBy("this")
  private long term;

  /** The time of the first step in the term, or null before the first step of all. */
  @GuardedBy("this")
  private @Nullable Long begunAt;

  /** The time of the next attempt after a failed one. */
  @GuardedBy("this")
  private long retryAt;

  @GuardedBy("this")
  private int failures;

  /** The exception from the last attempt to start or poll the source, or null if it succeeded. */
  @GuardedBy("this")
  private @Nullable Throwable failure;

  /** Whether the source has synced since the controller was started. */
  @GuardedBy("this")
  private boolean synced;

  /** Whether the log says that the source is overdue. */
  @GuardedBy("this")
  private boolean overdue;

  @GuardedBy("this")
  private boolean stopped;

  /**
   * Creates a runner without starting its source.
   *
   * @param number the number of the source in the controller, for thread names
   * @param replaySink receives the requests of a source that runs only to be replayed; null for a
   *     source that runs as its kind says
   */
  SourceRunner(
      ControllerConfig config,
      Source source,
      int number,
      ControllerRun run,
      @Nullable PrioritySink replaySink) {
    this.config = config;
    this.source = source;
    this.number = number;
    this.name = "source-" + number + (replaySink == null ? "" : "-replay");
    this.run = run;
    this.isReplay = replaySink != null;
    this.sink = replaySink != null ? replaySink : isKept() ? run.keys().counting() : run.keys();
    this.scheduler = config.scheduler();
  }

  /** Returns whether the source can add the requests for all objects that exist once more. */
  boolean isReplayed() {
    return source.kind() == Source.Kind.REPLAYED;
  }

  /** Returns a runner that starts the source once more, beside this one. */
  SourceRunner replay(PrioritySink requests) {
    return new SourceRunner(config, source, number, run, requests);
  }

  /**
   * Warms up, starts or polls the source if that is due. Does not block.
   *
   * @return the time until the next step, or {@link #NEVER}
   */
  Duration step() {
    long now = scheduler.nanoTime();
    Way way;
    State state;
    boolean isDue;
    synchronized (this) {
      enterTerm(now);
      if (isSettled()) {
        synced |= !stopped && !mustRun(); // also if there is nothing to prepare
        return NEVER;
      }
      way = isWarm() && !(mustRun() && isUp(warm)) ? warm : started; // first, it gets warm
      isDue = way.state == DOWN && ending.isEmpty();
      if (isDue && now - retryAt < 0) {
        return Duration.ofNanos(retryAt - now);
      }
      if (isDue) {
        way.state = new State.Calling(new RequestGate(sink));
      }
      state = way.state;
    }
    boolean warned = warnIfOverdue();
    if (state instanceof State.Up up) {
      return poll(way, up);
    }
    if (isDue && state instanceof State.Calling calling) {
      run.sourceTasks().send(name, () -> call(way, calling));
      return config.options().syncTimeout;
    }
    return warned ? NEVER : config.options().syncTimeout;
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
    return stopped || (mustRun() ? isComplete() : !isWarm() || (isUp(warm) && synced));
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
    return !isReplay && isReplayed() && config.leading().warmUp();
  }

  private static boolean isUp(Way way) {
    return way.state instanceof State.Up;
  }

  private Duration poll(Way way, State.Up up) {
    boolean hasSynced = false;
    Throwable thrown = null;
    try {
      hasSynced = up.running().hasSynced();
    } catch (Exception | Error e) { // reported by problem()
      FatalErrors.rethrow(e);
      thrown = e;
    }
    synchronized (this) {
      if (way.state != up) {
        return Duration.ZERO; // it has ended meanwhile
      }
      failure = thrown;
      if (!hasSynced) {
        return untilNextPoll(up.since());
      }
      synced = true;
      way.state = new State.Up(up.gate(), up.running(), up.since(), true);
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

  private void call(Way way, State.Calling calling) {
    try {
      Source.Running running = way.call(calling.gate());
      returned(way, calling, running);
    } catch (Throwable t) { // user code at the root of a thread
      FatalErrors.rethrow(t);
      calling.gate().shut();
      failed(way, calling, t);
    }
    run.wakeStarter();
  }

  private void returned(Way way, State.Calling calling, Source.Running running) {
    State.Up up = new State.Up(calling.gate(), running, scheduler.nanoTime(), false);
    synchronized (this) {
      if (way.state == calling) {
        way.state = up;
        failure = null;
        failures = 0;
        return;
      }
      forget(calling);
      ending.add(up);
    }
    stop(up); // the call has returned too late
  }

  @GuardedBy("this")
  private void forget(State ended) {
    ending.removeIf(each -> each == ended);
  }

  private synchronized void failed(Way way, State.Calling calling, Throwable t) {
    if (way.state != calling) { // it has ended meanwhile
      forget(calling);
      log.debug("{}: {} has failed to start after its end", config.name(), source, t);
      return;
    }
    way.state = DOWN;
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
    return started.state instanceof State.Up up && up.synced();
  }

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
    return mustRun()
        && started.state == DOWN
        && ending.stream().anyMatch(State.Up.class::isInstance);
  }

  private synchronized Optional<Source.Running> running() {
    State current = (mustRun() ? started : warm).state;
    return current instanceof State.Up up ? Optional.of(up.running()) : Optional.empty();
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
    return running().flatMap(this::problemOf);
  }

  /** Returns the reason why the source has not synced yet, as far as it is known. */
  private String cause() {
    Optional<Source.Running> running = running();
    Throwable thrown = failure();
    if (thrown != null) {
      return source
          + (running.isEmpty()
              ? " could not be started: "
              : " failed to report whether it has synced: ")
          + thrown;
    } else if (waits()) {
      return source + " has not stopped since the last term; it can't start until it ends";
    } else if (running.isPresent()) {
      return problemOf(running.get()).orElse(source + " has not synced and reports no cause");
    }
    return "the start of " + source + " has not returned";
  }

  /**
   * Returns the heartbeats of the loops that must run while the source is started. Each heartbeat
   * has a unique name.
   */
  List<Heartbeat> heartbeats() {
    Optional<Source.Running> running = running();
    if (running.isEmpty()) {
      return List.of();
    }
    try {
      return running.get().loops().stream()
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
    List<State.Up> up;
    synchronized (this) {
      if (isKept() && config.leading().warmUp()) {
        return;
      }
      term = OwnedKeys.NONE;
      up = ended(started);
    }
    stopLater(up);
    run.wakeStarter();
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
    List<State> late;
    synchronized (this) {
      late = List.copyOf(ending);
    }
    late.forEach(state -> gate(state).ifPresent(RequestGate::close));
  }

  private synchronized List<State.Up> endAll() {
    stopped = true;
    return ended(started, warm);
  }

  /**
   * Lets no further requests of the given calls pass.
   *
   * @return the sources that have to be stopped; any other is stopped when its call returns
   */
  @GuardedBy("this")
  private List<State.Up> ended(Way... ways) {
    List<State.Up> up = new ArrayList<>();
    for (Way way : ways) {
      gate(way.state)
          .ifPresent(
              gate -> {
                gate.shut();
                ending.add(way.state);
              });
      if (way.state instanceof State.Up running) {
        up.add(running);
      }
      way.state = DOWN;
    }
    return up;
  }

  private static Optional<RequestGate> gate(State state) {
    if (state instanceof State.Calling calling) {
      return Optional.of(calling.gate());
    }
    return state instanceof State.Up up ? Optional.of(up.gate()) : Optional.empty();
  }

  private void stopLater(List<State.Up> sources) {
    sources.forEach(up -> run.sourceTasks().send(name + "-stop", () -> stop(up)));
  }

  private void stop(State.Up up) {
    try {
      up.gate().close();
      up.running().stop();
    } catch (Exception | Error e) {
      FatalErrors.rethrow(e);
      log.error(
          "Failed to stop {} of {}; stopping the other sources",
          source,
          config.name(),
          OneLine.of(e));
    } finally {
      synchronized (this) {
        forget(up);
      }
      run.wakeStarter();
    }
  }
}
