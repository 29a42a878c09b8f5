// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import dev.windlass.time.Scheduler;
import java.time.Duration;
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
 * The checks of a program, of two kinds: of <em>liveness</em>, for what nothing but a restart
 * cures, and of <em>readiness</em>, for what may pass. They may be added at any time. Thread safe.
 */
public final class Health {

  /** How long a check may take before it is red: 3 s. */
  public static final Duration LIMIT = Duration.ofSeconds(3);

  /** What a check may be called: it is part of a path. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");

  private static final String PING = "ping";

  /** What a check is for. */
  public enum Kind {
    /** {@code /livez} and {@code /healthz}: a restart is wanted. */
    LIVE,
    /** {@code /readyz}: no work should come here for now. */
    READY
  }

  private final Scheduler scheduler;
  private final CheckThreads threads;
  private final Map<String, NamedCheck> live = new ConcurrentSkipListMap<>();
  private final Map<String, NamedCheck> ready = new ConcurrentSkipListMap<>();

  /** With one check of each kind, {@code ping}, which says that somebody answers. */
  public Health(Scheduler scheduler, ThreadFactory threads) {
    this.scheduler = scheduler;
    this.threads = new CheckThreads(threads);
    add(Kind.LIVE, PING, () -> {});
    add(Kind.READY, PING, () -> {});
  }

  private Map<String, NamedCheck> checks(Kind kind) {
    return kind == Kind.LIVE ? live : ready;
  }

  /**
   * Adds a check.
   *
   * @param name letters, digits, '-', '_' and '.'
   * @throws IllegalArgumentException if it can't have that name
   * @throws IllegalStateException if another one of that kind has it
   */
  public void add(Kind kind, String name, HealthCheck check) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + Causes.clean(name)
              + "' can't be the name of a check; use letters, digits, '-', '_' and '.', such as"
              + " 'database'");
    }
    if (checks(kind).putIfAbsent(name, new NamedCheck(name, check, scheduler)) != null) {
      throw new IllegalStateException(
          "there is a check " + name + " already; choose another name for this one");
    }
  }

  /** As {@link #add}, of something that says itself what is wrong with it. */
  public void watch(Kind kind, String name, Trouble trouble) {
    add(
        kind,
        name,
        () -> {
          Optional<String> cause = trouble.find();
          if (cause.isPresent()) {
            throw new Unhealthy(cause.get());
          }
        });
  }

  /** What is wrong with something. */
  @FunctionalInterface
  public interface Trouble {

    /** The cause; empty if all is well. Called by one thread at a time. */
    Optional<String> find();
  }

  /** Forgets a check. */
  public void remove(Kind kind, String name) {
    checks(kind).remove(name);
  }

  /** The names of all checks of a kind. */
  public List<String> names(Kind kind) {
    return List.copyOf(checks(kind).keySet());
  }

  /**
   * Runs checks side by side and waits for all of them, {@link #LIMIT} at most.
   *
   * @param which by their names
   * @return what is wrong, by name; empty for a check that is green
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public Map<String, Optional<String>> look(Kind kind, Predicate<String> which)
      throws InterruptedException {
    Map<String, CompletableFuture<Optional<String>>> running = new LinkedHashMap<>();
    for (NamedCheck check : new ArrayList<>(checks(kind).values())) {
      if (which.test(check.name())) {
        running.put(check.name(), check.trouble(threads));
      }
    }
    Map<String, Optional<String>> outcome = new LinkedHashMap<>();
    for (Map.Entry<String, CompletableFuture<Optional<String>>> each : running.entrySet()) {
      try {
        outcome.put(each.getKey(), each.getValue().get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("nobody fails it", e);
      }
    }
    return outcome;
  }

  /** Interrupts the checks that run; there will be no others. */
  public void close() {
    threads.close();
  }
}
