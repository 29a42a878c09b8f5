// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.health.HealthCheck;
import dev.windlass.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The health checks of a program. <em>Liveness</em> checks detect problems that only a restart can
 * solve. <em>Readiness</em> checks detect problems that can be temporary. Checks can be added at
 * any time. This class is thread-safe.
 */
public final class Health {

  /** The valid names of checks. A name is part of a URL path. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");

  private static final String PING = "ping";

  private final Scheduler scheduler;
  private final CheckThreads threads;
  private final Map<String, NamedCheck> live = new ConcurrentSkipListMap<>();
  private final Map<String, NamedCheck> ready = new ConcurrentSkipListMap<>();

  /**
   * Creates an instance with one {@code ping} check of each kind. These checks always succeed, and
   * only show that the program responds.
   */
  public Health(Scheduler scheduler, ThreadFactory threads) {
    this.scheduler = scheduler;
    this.threads = new CheckThreads(threads);
    add(HealthCheck.Kind.LIVE, PING, () -> {});
    add(HealthCheck.Kind.READY, PING, () -> {});
  }

  private Map<String, NamedCheck> checks(HealthCheck.Kind kind) {
    return kind == HealthCheck.Kind.LIVE ? live : ready;
  }

  /**
   * Adds a check.
   *
   * @param name the check's name, which consists of letters, digits, '-', '_' and '.'
   * @throws IllegalArgumentException if the name is not valid
   * @throws IllegalStateException if another check of the same kind has this name
   */
  public void add(HealthCheck.Kind kind, String name, HealthCheck check) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + SafeCauseText.clean(name)
              + "' can't be the name of a check; use letters, digits, '-', '_' and '.', such as"
              + " 'database'");
    }
    if (checks(kind).putIfAbsent(name, new NamedCheck(name, check, scheduler)) != null) {
      throw new IllegalStateException("there is already a check " + name + "; choose another name");
    }
  }

  /**
   * Adds a check that fails while {@code problem} detects a problem. In all other respects, this
   * method behaves like {@link #add}.
   */
  public void watch(HealthCheck.Kind kind, String name, Problem problem) {
    add(
        kind,
        name,
        () -> {
          Optional<String> cause = problem.find();
          if (cause.isPresent()) {
            throw new UnhealthyException(cause.get());
          }
        });
  }

  /** Detects problems in one part of the program. */
  @FunctionalInterface
  public interface Problem {

    /**
     * Returns the cause of the current problem, or empty if there is none. At most one thread at a
     * time calls this method.
     */
    Optional<String> find();
  }

  public void remove(HealthCheck.Kind kind, String name) {
    checks(kind).remove(name);
  }

  public List<String> names(HealthCheck.Kind kind) {
    return List.copyOf(checks(kind).keySet());
  }

  /**
   * Runs the selected checks in parallel and waits for at most {@link HealthCheck#LIMIT} until all
   * have completed.
   *
   * @param which selects the checks by name
   * @return the result of each check, keyed by the check's name: the cause of the failure, or empty
   *     if the check succeeded
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public Map<String, Optional<String>> look(HealthCheck.Kind kind, Predicate<String> which)
      throws InterruptedException {
    Map<String, CompletableFuture<Optional<String>>> running = new LinkedHashMap<>();
    for (NamedCheck check : new ArrayList<>(checks(kind).values())) {
      if (which.test(check.name())) {
        running.put(check.name(), check.problem(threads));
      }
    }
    Map<String, Optional<String>> outcome = new LinkedHashMap<>();
    for (Map.Entry<String, CompletableFuture<Optional<String>>> each : running.entrySet()) {
      try {
        outcome.put(each.getKey(), each.getValue().get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("this future never fails", e);
      }
    }
    return outcome;
  }

  /**
   * Interrupts the checks in progress. After this method has returned, further checks do not start.
   */
  public void close() {
    threads.close();
  }
}
