// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.logging.OneLine;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the program has been granted the permissions that it requires, and logs a warning
 * for each type and namespace in which permissions are missing. The check runs when the manager
 * starts and whenever more permissions are declared or, for example because a namespace was added
 * to a controller's set, needed. It does not delay or stop other components, because permissions
 * can be granted later. While permissions are missing, the check runs once a minute to detect that
 * they have been granted.
 */
public final class PermissionCheck {

  /** The delay before a failed request is sent again: 30 s. */
  static final Duration RETRY = Duration.ofSeconds(30);

  /** The interval at which missing permissions are checked again: 1 min. */
  static final Duration AGAIN = Duration.ofMinutes(1);

  /** The interval at which this check looks for permissions that have become necessary: 10 s. */
  static final Duration LOOK = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(PermissionCheck.class);

  /** Determines which permissions are missing. */
  interface Reviewer {
    List<Permission> missing(Collection<Permission> needed);
  }

  private final Supplier<Permissions> needed;
  private final Reviewer reviewer;
  private final Runnable first;
  private final Scheduler scheduler;
  private final Loop loop;

  /**
   * The time of the last review, in nanoseconds on the scheduler's clock. Only the loop's thread
   * uses this field and {@link #checked}.
   */
  private long askedAt;

  private final Set<Permission> checked = new HashSet<>();

  /** The thread that waits for a response from the server; null if there is none. */
  private volatile @Nullable Thread asking;

  private volatile List<Permission> missing = List.of();
  private volatile boolean done;
  private volatile boolean begun;
  private volatile boolean over;

  /**
   * Creates a check, but does not start it.
   *
   * @param first an action that runs before each review of newly declared permissions; it can send
   *     a request to the server
   */
  PermissionCheck(
      Supplier<Permissions> needed,
      Reviewer reviewer,
      Runnable first,
      Scheduler scheduler,
      BiFunction<String, LoopStep, Loop> loops) {
    this.scheduler = scheduler;
    this.first = first;
    this.needed = needed;
    this.reviewer = reviewer;
    this.loop = loops.apply("permissions-check", this::step);
  }

  /** Starts the check on a separate thread. */
  public void start() {
    loop.start();
    begun = true;
  }

  /** Requests another check. Callers use this method after more permissions have been declared. */
  void wake() {
    loop.wake();
  }

  /**
   * Returns the heartbeat of the loop, for health checks. The list is empty before startup and
   * after shutdown. While the loop waits for the server, the heartbeat does not report it as busy,
   * because the client limits this wait and a restart would not solve the problem.
   */
  List<Heartbeat> heartbeats() {
    if (!begun || over) {
      return List.of();
    }
    Heartbeat beat = Heartbeat.of(loop);
    return List.of(
        asking == null
            ? beat
            : new Heartbeat(beat.name(), beat.running(), Duration.ZERO, beat.failure(), 0));
  }

  List<Permission> missing() {
    return missing;
  }

  /** Returns whether the initial check of the declared permissions is complete. */
  boolean isDone() {
    return done;
  }

  StepDelay step() {
    Set<Permission> all = needed.get().all();
    forgetOthersThan(all);
    Set<Permission> fresh = new HashSet<>(all);
    fresh.removeAll(checked);
    if (fresh.isEmpty()) {
      done = true;
      return missing.isEmpty() ? StepDelay.of(LOOK) : askAgain();
    }
    try {
      asking = Thread.currentThread();
      first.run();
      List<Permission> lacking = reviewer.missing(fresh);
      Predicate<Permission> streams =
          permission -> {
            Permission watch = permission.with(Verb.WATCH);
            return all.contains(watch) && !lacking.contains(watch);
          };
      MissingPermissions.sentences(lacking, streams).forEach(sentence -> log.warn("{}", sentence));
      checked.addAll(fresh);
      List<Permission> more = new ArrayList<>(missing);
      more.addAll(lacking);
      missing = List.copyOf(more);
      askedAt = scheduler.nanoTime();
      return StepDelay.NONE; // more permissions may have been declared meanwhile
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          || e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        log.info(
            "Skipping the check of permissions: the server performs no access reviews (HTTP {})."
                + "{}",
            e.getCode(),
            FailureAdvice.of(e)
                .filter(advice -> advice.problem() == FailureCause.ANONYMOUS)
                .map(advice -> " " + advice)
                .orElse(""));
        checked.addAll(fresh);
        return StepDelay.NONE;
      }
      log.debug("Failed to check permissions: {}", OneLine.of(String.valueOf(e.getMessage()), 200));
      return StepDelay.of(RETRY);
    } finally {
      asking = null;
    }
  }

  /** Removes the results for permissions that are no longer needed. */
  private void forgetOthersThan(Set<Permission> all) {
    checked.retainAll(all);
    missing = missing.stream().filter(all::contains).toList();
  }

  /**
   * Checks the missing permissions again, if the last review is old enough, and logs the
   * permissions that have been granted since. Returns the delay before the next step.
   */
  private StepDelay askAgain() {
    Duration left = AGAIN.minusNanos(scheduler.nanoTime() - askedAt);
    if (!left.isNegative() && !left.isZero()) {
      return StepDelay.of(left).orSooner(LOOK);
    }
    askedAt = scheduler.nanoTime();
    try {
      asking = Thread.currentThread();
      List<Permission> lacking = reviewer.missing(missing);
      for (Permission permission : missing) {
        if (!lacking.contains(permission)) {
          log.info("This program may now {}", permission);
        }
      }
      missing = List.copyOf(lacking);
    } catch (KubernetesClientException e) {
      log.debug("Failed to check permissions: {}", OneLine.of(String.valueOf(e.getMessage()), 200));
    } finally {
      asking = null;
    }
    return StepDelay.of(LOOK);
  }

  /**
   * Stops the check.
   *
   * @return whether the check stopped within the limit
   */
  public boolean stop(Duration limit) throws InterruptedException {
    over = true;
    loop.stop();
    Thread waiting = asking;
    if (waiting != null) {
      waiting.interrupt(); // is safe, because the thread only sends a query
    }
    return loop.join(limit);
  }

  @Override
  public String toString() {
    return "the permissions check";
  }
}
