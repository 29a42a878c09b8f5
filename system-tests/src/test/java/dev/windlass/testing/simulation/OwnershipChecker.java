// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.scheduling.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The definition of P15 for the keys of one Lease. It receives the events of all replicas in their
 * real order, as the API server, the reconciler and the public diagnosis show them, and reports the
 * first event that breaks a rule. It does not depend on how a replica starts or ends a term.
 *
 * <p>A replica owns the keys during its term. In each replica's own view, a term lasts from its
 * election until its fence closes. For the server, it lasts from the write that makes the replica
 * the holder of the Lease until the next write that changes the holder.
 *
 * <ul>
 *   <li><b>One owner</b>: the server accepts a write only from the holder of the Lease. When the
 *       Lease gets another holder or none, all other fences are closed.
 *   <li><b>Nothing outside of a reconcile</b>: each write is part of a running reconcile of its
 *       key, which has begun in the writer's current term. This excludes writes between the end of
 *       the last reconcile and the release.
 *   <li><b>Reconciles stay in their term</b>: a reconcile begins only on the holder of the Lease,
 *       while its fence is open, and while none of an earlier term is still running on this
 *       replica. A replica releases the Lease only when none is running.
 *   <li><b>The new owner misses nothing</b>: when the first reconcile of a term begins, all objects
 *       are queued that the replica's cache held at its election and still holds. Each object is
 *       reconciled in the term ({@link #unreconciled}).
 *   <li><b>Nothing is left</b>: at most {@link #DROPPED} after the end of a term, and whenever a
 *       replica does not lead, no key is queued or delayed on it, unless a reconcile of the term is
 *       still running.
 * </ul>
 */
final class OwnershipChecker {

  /** The virtual time after which a replica has dropped the keys of a lost term: 1 s. */
  static final Duration DROPPED = Duration.ofSeconds(1);

  /** What a replica shows of itself. */
  interface Replica {

    /** Returns the number of the current term, from 1, or 0 while the fence is closed. */
    int term();

    /** Returns the number of keys that are queued or delayed. */
    int queued();

    /** Returns the keys of the objects in the cache. */
    Set<String> cached();
  }

  private record Reconcile(String key, int term, Duration since) {
    @Override
    public String toString() {
      return "the reconcile of %s since %s in term %d".formatted(key, DurationText.of(since), term);
    }
  }

  private static final class Observed {
    private final String name;
    private final Replica replica;
    private final List<Reconcile> running = new ArrayList<>();
    private final Set<String> reconciled = new HashSet<>();
    private Set<String> inherited = Set.of();
    private int term;
    private boolean leads;
    private Duration since;
    private Duration seen;

    Observed(String name, Replica replica, Duration now) {
      this.name = name;
      this.replica = replica;
      this.since = now;
      this.seen = now;
    }

    @Override
    public String toString() {
      return "%s (%s term %d since %s)"
          .formatted(name, leads ? "in" : "after", term, DurationText.of(since));
    }
  }

  private final Violations violations;
  private final Supplier<Duration> clock;
  private final Map<String, Observed> replicas = new HashMap<>();
  private String holder = "";
  private Duration heldSince = Duration.ZERO;

  OwnershipChecker(Violations violations, Supplier<Duration> clock) {
    this.violations = violations;
    this.clock = clock;
  }

  private void check(boolean kept, String rule, Object... arguments) {
    if (!kept) {
      violations.check(
          false,
          "P15: at %s, %s; the lease belongs to %s since %s"
              .formatted(
                  DurationText.of(clock.get()),
                  rule.formatted(arguments),
                  holder.isEmpty() ? "nobody" : holder,
                  DurationText.of(heldSince)));
    }
  }

  /** Adds a replica whose process has started. */
  void started(String name, Replica replica) {
    replicas.put(name, new Observed(name, replica, clock.get()));
  }

  /** Removes a replica whose process has ended, so that its reconciles no longer run. */
  void ended(String name) {
    replicas.remove(name);
  }

  /** Looks at what the replicas show. Call this method after each step. */
  void look() {
    replicas.values().forEach(this::look);
  }

  private void look(Observed one) {
    Duration now = clock.get();
    int term = one.replica.term();
    if (term != 0 && term != one.term) {
      one.inherited = one.replica.cached();
      one.reconciled.clear();
      one.term = term;
      one.since = now;
    } else if (term == 0 && one.leads) {
      one.since = now;
    }
    one.leads = term != 0;
    boolean idle = !one.leads && one.running.isEmpty();
    if (idle && !now.equals(one.seen) && now.minus(one.since).compareTo(DROPPED) >= 0) {
      int queued = one.replica.queued();
      check(queued == 0, "%d keys are queued on %s, which does not lead", queued, one);
      one.seen = now;
    }
  }

  /** Records a write of the Lease: its holder afterwards, or an empty string for none. */
  void leased(String newHolder) {
    look();
    String before = holder;
    if (!newHolder.equals(before)) {
      holder = newHolder;
      heldSince = clock.get();
    }
    for (Observed one : replicas.values()) {
      check(!one.leads || one.name.equals(newHolder), "the fence of %s is open", one);
      check(
          !newHolder.isEmpty() || !one.name.equals(before) || one.running.isEmpty(),
          "%s released the lease during %s",
          one,
          one.running);
    }
  }

  /** Records the begin of a reconcile. */
  void begins(String name, String key) {
    Observed one = replicas.get(name);
    if (one == null) {
      return;
    }
    look(one);
    check(one.leads && holder.equals(name), "%s begins to reconcile %s", one, key);
    for (Reconcile other : one.running) {
      check(other.term == one.term, "%s begins to reconcile %s during %s", one, key, other);
    }
    one.running.add(new Reconcile(key, one.term, clock.get()));
    if (one.reconciled.isEmpty()) {
      Set<String> expected = new TreeSet<>(one.inherited);
      expected.retainAll(one.replica.cached());
      int known = one.replica.queued() + one.running.size();
      check(
          known >= expected.size(),
          "%s begins to reconcile %s with %d keys instead of %s",
          one,
          key,
          known,
          expected);
    }
    one.reconciled.add(key);
  }

  /** Records the end of a reconcile. */
  void ends(String name, String key) {
    Observed one = replicas.get(name);
    if (one != null) {
      one.running.stream()
          .filter(reconcile -> reconcile.key.equals(key))
          .findFirst()
          .ifPresent(one.running::remove);
    }
  }

  /** Records a write that the server has accepted. */
  void wrote(String name, String key, Object request) {
    check(holder.equals(name), "%s wrote %s: %s", name, key, request);
    Observed one = replicas.get(name);
    if (one != null) {
      look(one);
      check(
          one.running.stream().anyMatch(r -> r.key.equals(key) && r.term == one.term),
          "%s wrote %s during %s: %s",
          one,
          key,
          one.running,
          request);
    }
  }

  /** Returns the given objects that the holder of the Lease has not reconciled in its term. */
  Set<String> unreconciled(Collection<String> existing) {
    Set<String> rest = new TreeSet<>(existing);
    Observed owner = replicas.get(holder);
    if (owner != null && owner.leads) {
      rest.removeAll(owner.reconciled);
    }
    return rest;
  }
}
