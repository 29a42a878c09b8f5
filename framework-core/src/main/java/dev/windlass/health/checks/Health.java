// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.health.HealthCheck;
import dev.windlass.time.Scheduler;
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
 * The health checks of a program, of two kinds: <em>liveness</em>, for problems that only a restart
 * fixes, and <em>readiness</em>, for problems that may be temporary. Checks may be added at any
 * time. Thread safe.
 */
public final class Health {

  /** The valid names of checks; a name is part of a URL path. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");

  private static final String PING = "ping";

  private final Scheduler scheduler;
  private final CheckThreads threads;
  private final Map<String, NamedCheck> live = new ConcurrentSkipListMap<>();
  private final Map<String, NamedCheck> ready = new ConcurrentSkipListMap<>();

  /**
   * Creates the checks, with a {@code ping} check of each kind, which shows that the program
   * responds.
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
   * @param name letters, digits, '-', '_' and '.'
   * @throws IllegalArgumentException if the name is not valid
   * @throws IllegalStateException if another check of that kind has the name
   */
  public void add(HealthCheck.Kind kind, String name, HealthCheck check) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + CauseText.clean(name)
              + "' can't be the name of a check; use letters, digits, '-', '_' and '.', such as"
              + " 'database'");
    }
    if (checks(kind).putIfAbsent(name, new NamedCheck(name, check, scheduler)) != null) {
      throw new IllegalStateException("there is already a check " + name + "; choose another name");
    }
  }

  /**
   * Adds a check that is red while {@code problem} finds a cause. Otherwise the same as {@link
   * #add}.
   */
  public void watch(HealthCheck.Kind kind, String name, Problem problem) {
    add(
        kind,
        name,
        () -> {
          Optional<String> cause = problem.find();
          if (cause.isPresent()) {
            throw new Unhealthy(cause.get());
          }
        });
  }

  /** Finds a problem in one part of the program. */
  @FunctionalInterface
  public interface Problem {

    /** Returns the cause of the problem; empty if there is none. Called by one thread at a time. */
    Optional<String> find();
  }

  /** Removes a check. */
  public void remove(HealthCheck.Kind kind, String name) {
    checks(kind).remove(name);
  }

  /** Returns the names of all checks of a kind. */
  public List<String> names(HealthCheck.Kind kind) {
    return List.copyOf(checks(kind).keySet());
  }

  /**
   * Runs checks in parallel and waits for all of them, for {@link HealthCheck#LIMIT} at most.
   *
   * @param which selects the checks by name
   * @return the cause for each check, by name; empty for a check that is green
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

  /** Interrupts running checks. No check runs afterwards. */
  public void close() {
    threads.close();
  }
}
