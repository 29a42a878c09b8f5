// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.health.HealthSource;
import dev.windlass.health.checks.AlarmCheck;
import dev.windlass.health.checks.Health;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.health.checks.HeartbeatWatch;
import dev.windlass.health.checks.PersistentProblems;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.informer.InformerStatus;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The built-in health checks of every manager. The liveness checks detect problems that only a
 * restart can solve: loops that hang or have stopped, timers that do not fire, leader electors that
 * do not respond, and workers that have terminated or are permanently blocked. The readiness checks
 * detect problems that can be temporary: caches and sources that have not synced or lag behind, and
 * leases that cannot be read or written. This class is thread-safe.
 */
final class BuiltInHealthChecks {

  private static final Logger log = LoggerFactory.getLogger(BuiltInHealthChecks.class);

  /**
   * How long a problem with a lease or a synced cache must last before the health check fails: 30
   * s.
   */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * How long the elector of a leader can take to respond to a closed fence before the health check
   * fails: 10 s.
   */
  static final Duration ELECTOR_PATIENCE = Duration.ofSeconds(10);

  private final MonitoringContext manager;
  private final Health health;
  private final BooleanSupplier started;
  private final Duration wedgedAfter;
  private final PersistentProblems cacheProblems;
  private final PersistentProblems leaseProblems;
  private final PersistentProblems closedFences;

  /** The components that have health checks, keyed by check name. */
  @GuardedBy("this")
  private final Map<String, HealthSource> monitored = new HashMap<>();

  /**
   * Creates the checks and adds them to a manager's health checks.
   *
   * @param started a function that returns whether the manager has been started
   * @param ownLoops a function that returns the loops of the HTTP endpoints and of the health
   *     monitor
   */
  BuiltInHealthChecks(
      MonitoringContext manager,
      Health health,
      Scheduler scheduler,
      BooleanSupplier started,
      Duration wedgedAfter,
      Supplier<List<Loop>> ownLoops) {
    this.manager = manager;
    this.health = health;
    this.started = started;
    this.wedgedAfter = wedgedAfter;
    this.cacheProblems = new PersistentProblems(scheduler, PATIENCE);
    this.leaseProblems = new PersistentProblems(scheduler, PATIENCE);
    this.closedFences = new PersistentProblems(scheduler, ELECTOR_PATIENCE);
    health.watch(Kind.LIVE, "alarms", new AlarmCheck(scheduler));
    HeartbeatWatch caches = new HeartbeatWatch(scheduler);
    health.watch(Kind.LIVE, "caches", () -> caches.problem(cacheHeartbeats()));
    health.watch(Kind.READY, "caches", this::staleCaches);
    HeartbeatWatch events = new HeartbeatWatch(scheduler);
    health.watch(Kind.LIVE, "events", () -> events.problem(heartbeats(manager.events().loops())));
    HeartbeatWatch elections = new HeartbeatWatch(scheduler);
    health.watch(
        Kind.LIVE,
        "leader-election",
        () -> elections.problem(heartbeats(electionLoops())).or(this::expiredLeases));
    health.watch(Kind.READY, "leader-election", this::unreachableLeases);
    HeartbeatWatch own = new HeartbeatWatch(scheduler);
    health.watch(Kind.LIVE, "endpoints", () -> own.problem(heartbeats(ownLoops.get())));
    HeartbeatWatch permissions = new HeartbeatWatch(scheduler);
    health.watch(Kind.LIVE, "manager", () -> manager.stop().failure().map(SafeCauseText::of));
    health.watch(
        Kind.LIVE, "permissions", () -> permissions.problem(manager.permissions().heartbeats()));
  }

  private List<Loop> electionLoops() {
    return manager.groups().stream().flatMap(group -> group.loops().stream()).toList();
  }

  private static List<Heartbeat> heartbeats(List<Loop> loops) {
    return loops.stream().map(Heartbeat::of).toList();
  }

  /**
   * Returns the heartbeats of all caches. Each completed call to a handler counts as progress,
   * because one iteration of a loop can call a handler many times.
   */
  private List<Heartbeat> cacheHeartbeats() {
    List<Heartbeat> heartbeats = new ArrayList<>();
    Map<String, Integer> sameName = new HashMap<>();
    for (MonitoringContext.NamedCache cache : manager.caches()) {
      int number = sameName.merge(cache.name(), 1, Integer::sum);
      String name = number == 1 ? cache.name() : cache.name() + " (" + number + ")";
      Map<String, Long> delivered =
          cache.informer().status().handlers().stream()
              .collect(
                  Collectors.toMap(
                      InformerStatus.HandlerStatus::name,
                      InformerStatus.HandlerStatus::delivered,
                      (one, other) -> one));
      for (Loop loop : cache.informer().runningLoops()) {
        long progress = delivered.getOrDefault(loop.name(), 0L);
        heartbeats.add(Heartbeat.of(loop, progress).named(name + ": " + loop.name()));
      }
    }
    return heartbeats;
  }

  private Optional<String> staleCaches() {
    if (!started.getAsBoolean()) {
      return Optional.of("the manager has not been started");
    }
    Map<String, String> unsynced = new HashMap<>();
    Map<String, String> behind = new HashMap<>();
    for (MonitoringContext.NamedCache cache : manager.caches()) {
      if (cache.informer().runningLoops().isEmpty()) {
        continue; // the cache has not been started
      }
      Optional<String> problem = cache.informer().problem().map(String::valueOf);
      if (!cache.informer().hasSynced()) {
        unsynced.put(cache.name(), "not synced" + problem.map(": "::concat).orElse(""));
      } else {
        problem.ifPresent(cause -> behind.put(cache.name(), cause));
      }
    }
    behind.keySet().retainAll(cacheProblems.of(behind.keySet().stream()));
    behind.putAll(unsynced);
    return joined(behind);
  }

  private static Optional<String> joined(Map<String, String> causes) {
    String all =
        causes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> each.getKey() + " (" + each.getValue() + ")")
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /**
   * Returns a description of the expired leases for which this replica is still the leader, or
   * empty if there are none. A lease is reported only after {@link #ELECTOR_PATIENCE}, because the
   * elector needs some time to respond.
   */
  private Optional<String> expiredLeases() {
    Map<String, String> expired = new HashMap<>();
    for (LeaderGroup group : manager.groups()) {
      if (group.status().leading() && !group.fence().holds()) {
        expired.put(group.lease(), "still leads although the lease was not renewed");
      }
    }
    expired.keySet().retainAll(closedFences.of(expired.keySet().stream()));
    return joined(expired);
  }

  private Optional<String> unreachableLeases() {
    Map<String, String> problems = new HashMap<>();
    for (LeaderGroup group : manager.groups()) {
      group.problem().ifPresent(cause -> problems.put(group.lease(), cause));
    }
    problems.keySet().retainAll(leaseProblems.of(problems.keySet().stream()));
    return joined(problems);
  }

  /**
   * Makes the checks match the manager's components: adds a liveness check and a readiness check
   * for each new component that reports its health, and removes those of removed components.
   */
  synchronized void update() {
    Map<String, HealthSource> current = new LinkedHashMap<>();
    manager
        .components()
        .of(HealthSource.class)
        .forEach(source -> current.putIfAbsent(source.checkName(), source));
    for (Map.Entry<String, HealthSource> before : List.copyOf(monitored.entrySet())) {
      if (current.get(before.getKey()) != before.getValue()) {
        health.remove(Kind.LIVE, before.getKey());
        health.remove(Kind.READY, before.getKey());
        monitored.remove(before.getKey());
      }
    }
    current.forEach(
        (name, source) -> {
          if (monitored.putIfAbsent(name, source) == null) {
            watch(name, source);
          }
        });
  }

  private void watch(String name, HealthSource source) {
    try {
      health.watch(Kind.LIVE, name, () -> source.liveness(wedgedAfter));
      health.watch(Kind.READY, name, source::readiness);
    } catch (IllegalArgumentException | IllegalStateException e) {
      log.error("Failed to add {} to the health checks: {}", source, e.getMessage());
    }
  }
}
