// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.health.Pulse;
import dev.windlass.object.OneLine;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.SelfCheck;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import dev.windlass.trouble.Advice;
import dev.windlass.trouble.Trouble;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, once the manager starts and whenever more is declared, whether the program has the rights
 * that it needs, and warns of each that is missing. It keeps nobody waiting, and stops nothing: the
 * rights may be granted later, which it sees within a minute.
 */
final class RightsCheck implements ManagedComponent {

  /** How long to wait before a server is asked again that could not be: 30 s. */
  static final Duration RETRY = Duration.ofSeconds(30);

  /** How often it looks whether what was missing has been granted: every minute. */
  static final Duration AGAIN = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

  /** Finds out which permissions are missing. */
  interface Reviewer {
    List<Permission> missing(Collection<Permission> needed);
  }

  private final Supplier<Permissions> needed;
  private final Reviewer reviewer;
  private final Runnable first;
  private final Scheduler scheduler;
  private final Loop loop;

  /** When it asked last. Touched by the loop only, as the next. */
  private long askedAt;

  private final Set<Permission> checked = new HashSet<>();

  /** The thread that waits for the server; null if none does. */
  private volatile @Nullable Thread asking;

  private volatile List<Permission> missing = List.of();
  private volatile boolean done;
  private volatile boolean begun;
  private volatile boolean over;

  /**
   * A check that has not begun.
   *
   * @param first what else to ask the server, each time before it is asked
   */
  RightsCheck(
      Supplier<Permissions> needed,
      Reviewer reviewer,
      Runnable first,
      Scheduler scheduler,
      BiFunction<String, Step, Loop> loops) {
    this.scheduler = scheduler;
    this.first = first;
    this.needed = needed;
    this.reviewer = reviewer;
    this.loop = loops.apply("rights-check", this::step);
  }

  @Override
  public Phase phase() {
    return Phase.ALWAYS;
  }

  @Override
  public void start() {
    loop.start();
    begun = true;
  }

  /** More has been declared. */
  void wake() {
    loop.wake();
  }

  /**
   * The heartbeat of its loop, for health; none before the start and after the stop. While it waits
   * for the server it is not busy: the client bounds that, and a restart would not cure it.
   */
  List<Pulse> pulses() {
    if (!begun || over) {
      return List.of();
    }
    Pulse pulse = Pulse.of(loop);
    return List.of(
        asking == null
            ? pulse
            : new Pulse(pulse.name(), pulse.running(), Duration.ZERO, pulse.failure(), 0));
  }

  /** What is missing of all that was checked. */
  List<Permission> missing() {
    return missing;
  }

  /** Whether all that was declared when it last looked has been checked. */
  boolean isDone() {
    return done;
  }

  Pause step() {
    Set<Permission> all = needed.get().all();
    forgetOthersThan(all);
    Set<Permission> fresh = new HashSet<>(all);
    fresh.removeAll(checked);
    if (fresh.isEmpty()) {
      done = true;
      return missing.isEmpty() ? Pause.UNTIL_WOKEN : askAgain();
    }
    try {
      asking = Thread.currentThread();
      first.run();
      List<Permission> lacking = reviewer.missing(fresh);
      lacking.forEach(permission -> log.warn("{}", SelfCheck.sentence(permission)));
      checked.addAll(fresh);
      List<Permission> more = new ArrayList<>(missing);
      more.addAll(lacking);
      missing = List.copyOf(more);
      askedAt = scheduler.nanoTime();
      return Pause.NONE; // more may have been declared meanwhile
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          || e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        log.info(
            "The rights of this program are not checked: the server does not review them (HTTP {})."
                + "{}",
            e.getCode(),
            Advice.of(e)
                .filter(advice -> advice.trouble() == Trouble.ANONYMOUS)
                .map(advice -> " " + advice)
                .orElse(""));
        checked.addAll(fresh);
        return Pause.NONE;
      }
      log.debug("Can't check the rights now: {}", OneLine.of(String.valueOf(e.getMessage()), 200));
      return Pause.of(RETRY);
    } finally {
      asking = null;
    }
  }

  /** What nobody needs any more is neither missing nor remembered. */
  private void forgetOthersThan(Set<Permission> all) {
    checked.retainAll(all);
    missing = missing.stream().filter(all::contains).toList();
  }

  /** What was missing may have been granted. */
  private Pause askAgain() {
    Duration left = AGAIN.minusNanos(scheduler.nanoTime() - askedAt);
    if (!left.isNegative() && !left.isZero()) {
      return Pause.of(left);
    }
    askedAt = scheduler.nanoTime();
    try {
      asking = Thread.currentThread();
      List<Permission> lacking = reviewer.missing(missing);
      for (Permission permission : missing) {
        if (!lacking.contains(permission)) {
          log.info("This program may {} now", permission);
        }
      }
      missing = List.copyOf(lacking);
    } catch (KubernetesClientException e) {
      log.debug("Can't check the rights now: {}", OneLine.of(String.valueOf(e.getMessage()), 200));
    } finally {
      asking = null;
    }
    return missing.isEmpty() ? Pause.UNTIL_WOKEN : Pause.of(AGAIN);
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    over = true;
    loop.stop();
    Thread waiting = asking;
    if (waiting != null) {
      waiting.interrupt(); // it has only asked
    }
    return loop.join(limit);
  }

  @Override
  public String toString() {
    return "the check of rights";
  }
}
