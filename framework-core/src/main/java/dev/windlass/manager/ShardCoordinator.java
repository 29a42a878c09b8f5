// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.EventRecorder;
import dev.windlass.health.HealthSource;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.health.checks.HeartbeatWatch;
import dev.windlass.informer.InformerHandle;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.leader.LeaderStatus;
import dev.windlass.leader.ShardOptions;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides the shards of a program among its replicas. Each shard has a {@link LeaderGroup}, whose
 * lease this replica claims while it owns fewer shards than its share. While it owns more, it hands
 * one shard after the other over. Each replica says that it is there by a Lease of its own, counts
 * the others in a watch of the Leases, and decides for itself.
 *
 * <p>Replicas with another number of shards own other ranges of the same keys. A replica therefore
 * claims nothing while it observes a live Lease of another number. After each claim, it also asks
 * the server, and gives the lease back if there is one. If two replicas do so because of each
 * other, the one with the greater identity waits longer.
 */
final class ShardCoordinator implements ManagedComponent, HealthSource {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** How many decisions there are in a retry period: 5. */
  private static final int DECISIONS = 5;

  /** How many retry periods must pass after a change of members before a shard moves: 2. */
  private static final int SETTLED = 2;

  /** How many decisions a shard is left to those that own less than their share: 3. */
  private static final int PATIENCE = 3;

  private static final long NOT_FREE = -1;

  /** The number of missing shards of a replica that must not claim any. */
  private static final int WAITING = Integer.MIN_VALUE;

  private final LeaderGroupContext context;
  private final KubernetesCluster cluster;
  private final EventRecorder events;
  private final ShardOptions options;
  private final Scheduler scheduler;
  private final ShardLeases leases;

  /** This replica's name in all its leases, without the suffix of each elector. */
  private final String identity;

  private final List<LeaderGroup> groups;
  private final Loop loop;

  /** For each shard, 1 if this replica may claim its lease. */
  private final AtomicIntegerArray claims;

  /** For each shard, how many decisions ago it was found without an owner, or {@link #NOT_FREE}. */
  private final long[] free;

  private volatile long patientUntil;

  /** Who must stop before this replica can own any shard; null if there is nobody. */
  private @Nullable String rival;

  private volatile int share;
  private volatile long longestFree;
  private final HeartbeatWatch heartbeats;
  private volatile boolean running;
  private volatile @Nullable LeaderElector member;
  private Set<String> members = Set.of();
  private long membersSince;
  private volatile @Nullable InformerHandle<Lease> watch;

  ShardCoordinator(
      LeaderGroupContext context,
      KubernetesCluster cluster,
      EventRecorder events,
      ShardOptions given) {
    this.events = events;
    this.context = context;
    this.cluster = cluster;
    this.scheduler = context.environment().scheduler();
    this.identity = LeaderElector.uniqueIdentity(given.election(), context.environment());
    this.options =
        given.withElection(election -> context.inNamespace(election).withIdentity(identity));
    context.divides(options);
    this.leases =
        new ShardLeases(
            options, cluster.replicaKubernetesClient(), scheduler, context.environment().threads());
    this.claims = new AtomicIntegerArray(options.number());
    this.free = new long[options.number()];
    Arrays.fill(free, NOT_FREE);
    this.groups =
        IntStream.range(0, options.number())
            .mapToObj(
                shard -> new LeaderGroup(context, options.shard(shard), new Place(shard), true))
            .toList();
    this.loop = context.loop("shards-" + options.election().name(), this::step);
    this.heartbeats = new HeartbeatWatch(scheduler);
    this.patientUntil = scheduler.nanoTime();
    context.measureShards(options.election().name(), this::owned, () -> share, this::unowned);
  }

  private int owned() {
    return (int) groups.stream().filter(group -> group.status().leading()).count();
  }

  /** Returns how long the shard that has been without an owner longest has been so. */
  private Duration unowned() {
    return period().multipliedBy(Math.max(0, longestFree));
  }

  /** Returns the time between two decisions. */
  private Duration period() {
    return options.election().retryPeriod().dividedBy(DECISIONS);
  }

  /** Decides when the elector of a shard competes. */
  private final class Place implements LeaderListener {
    private final int shard;

    Place(int shard) {
      this.shard = shard;
    }

    @Override
    public boolean mayClaim() {
      return claims.get(shard) == 1;
    }

    @Override
    public long observedAt(String version, long now) {
      return leases.observedAt(options.shard(shard).name(), version, now);
    }

    @Override
    public CompletableFuture<Optional<String>> rival() {
      return leases
          .findRival()
          .thenApply(
              found -> {
                found.map(ShardLeases::holder).ifPresent(ShardCoordinator.this::giveWay);
                return found.map(
                    lease ->
                        ShardLeases.holder(lease)
                            + " runs with another number of shards and has not stopped");
              });
    }
  }

  private void giveWay(String holder) {
    LeaderElectionOptions election = options.election();
    Duration pause =
        identity.compareTo(holder) > 0 ? election.leaseDuration() : election.retryPeriod();
    patientUntil = scheduler.nanoTime() + Scheduler.saturatedNanos(pause);
  }

  /** Returns the groups of all shards, in the order of the shards. */
  List<LeaderGroup> groups() {
    return groups;
  }

  @Override
  public Phase phase() {
    return Phase.WARM_UP;
  }

  @Override
  public void start() {
    InformerHandle<Lease> handle =
        cluster
            .informers()
            .acquire(
                InformerSpec.of(Lease.class)
                    .in(WatchScope.namespace(options.election().namespace())));
    watch = handle;
    handle.informer().addEventHandler(this::saw);
    cluster.informers().startIfStarted();
    loop.start();
    running = true;
  }

  @Override
  public String checkName() {
    return "shards";
  }

  /** {@inheritDoc} Reports a loop that has ended, hangs, or fails all the time. */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    LeaderElector current = member;
    List<Loop> others = current == null ? List.of() : current.loops();
    return running
        ? heartbeats.problem(
            Stream.concat(Stream.of(loop), others.stream()).map(Heartbeat::of).toList())
        : Optional.empty();
  }

  /** {@inheritDoc} A replica without shards is ready, as one that is not the leader is. */
  @Override
  public Optional<String> readiness() {
    return Optional.empty();
  }

  /** A deleted Lease remains live until its duration has passed. Its holder may act until then. */
  private void saw(ResourceEvent<Lease> event) {
    if (event.type() != ResourceEvent.Type.DELETED) {
      leases.saw(event.object().decode());
    }
  }

  private StepDelay step() throws InterruptedException {
    InformerHandle<Lease> handle = watch;
    if (handle != null && handle.informer().hasSynced()) {
      keepMembership();
      decide(scheduler.nanoTime());
    }
    return StepDelay.of(period());
  }

  /** Holds one of the members' leases, as soon as one is free or its holder has crashed. */
  private void keepMembership() throws InterruptedException {
    LeaderElector current = member;
    if (current != null) {
      LeaderStatus status = current.status();
      String name = current.lease().substring(current.lease().indexOf('/') + 1);
      boolean taken =
          leases.holder(name).filter(holder -> !owner(holder).equals(identity)).isPresent();
      if (status.leading() || !taken) {
        current.standAgain();
        return;
      }
      current.stop(Duration.ofMillis(1), false); // another replica was faster
      member = null;
    }
    for (int slot = 0; slot < options.number(); slot++) {
      LeaderElectionOptions lease = options.member(slot);
      if (leases.holder(lease.name()).isEmpty()) {
        LeaderElector next =
            context.member(
                lease,
                new LeaderListener() {
                  @Override
                  public long observedAt(String version, long now) {
                    return leases.observedAt(lease.name(), version, now);
                  }
                });
        next.start();
        member = next;
        return;
      }
    }
  }

  private void decide(long now) {
    List<String> owners = new ArrayList<>();
    Set<String> present = new TreeSet<>(Set.of(identity));
    for (int shard = 0; shard < options.number(); shard++) {
      String owner =
          groups.get(shard).status().leading()
              ? identity
              : leases.holder(options.shard(shard).name()).map(ShardCoordinator::owner).orElse("");
      owners.add(owner);
      free[shard] = owner.isEmpty() ? free[shard] + 1 : NOT_FREE;
      leases.holder(options.member(shard).name()).ifPresent(holder -> present.add(owner(holder)));
      if (!owner.isEmpty()) {
        present.add(owner);
      }
    }
    if (!present.equals(members)) {
      members = present;
      membersSince = now;
    }
    longestFree = Arrays.stream(free).max().orElse(NOT_FREE);
    ShardBalance balance = new ShardBalance(owners, present);
    int owned = balance.owned(identity);
    int target = balance.target(identity);
    share = target;
    if (owned > 0) {
      waitFor(null); // a rival must wait for this replica
    }
    claim(owned == 0 && mustWait(now) ? WAITING : target - owned);
    Duration settling = options.election().retryPeriod().multipliedBy(SETTLED);
    boolean settled = now - membersSince >= Scheduler.saturatedNanos(settling);
    if (owned > target && settled && !owners.contains("")) {
      handOverOne();
    }
  }

  /** Returns whether replicas with another number of shards have to stop first. */
  private boolean mustWait(long now) {
    Optional<Lease> found = leases.rival();
    waitFor(found.orElse(null));
    return found.isPresent() || now - patientUntil < 0;
  }

  /** Says once for each holder for what this replica waits. */
  private void waitFor(@Nullable Lease lease) {
    String holder = lease == null ? null : ShardLeases.holder(lease);
    if (Objects.equals(holder, rival)) {
      return;
    }
    rival = holder;
    String text =
        "waiting for %s, which runs with another number of shards than %d: this replica owns no shard before all such replicas have stopped"
            .formatted(holder, options.number());
    groups.forEach(group -> group.waitFor(holder == null ? null : text));
    if (lease != null) {
      log.info("{} is {}", identity, text);
      events.normal(lease, "WaitingForShards", identity + " is " + text);
    }
  }

  /**
   * Lets as many electors compete for shards without an owner as are missing. A shard that has been
   * without an owner for some time is claimed in any case: who should own it may be unable to.
   */
  private void claim(int missing) {
    int left = missing;
    int first = Math.floorMod(identity.hashCode(), options.number()); // not all begin with one
    for (int i = 0; i < options.number(); i++) {
      int shard = (first + i) % options.number();
      LeaderGroup group = groups.get(shard);
      boolean claims = free[shard] != NOT_FREE && group.canLead() && left > 0;
      if (claims) {
        left--;
      } else if (free[shard] >= PATIENCE && group.canLead() && missing >= 0) {
        claims = true;
      }
      if (this.claims.getAndSet(shard, claims ? 1 : 0) == 0 && claims) {
        group.compete();
      }
    }
  }

  private void handOverOne() {
    if (groups.stream().noneMatch(LeaderGroup::isHandingOver)) {
      groups.stream()
          .filter(group -> group.status().leading())
          .reduce((former, later) -> later)
          .ifPresent(LeaderGroup::handOver);
    }
  }

  private static String owner(String holder) {
    int suffix = holder.lastIndexOf('_');
    return suffix < 0 ? holder : holder.substring(0, suffix);
  }

  @Override
  public void cancel(Duration limit) {
    running = false;
    loop.interrupt();
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    running = false;
    loop.interrupt();
    boolean inTime = loop.join(limit);
    LeaderElector current = member;
    member = null;
    inTime &= current == null || current.stop(limit, true);
    InformerHandle<Lease> handle = watch;
    watch = null;
    if (handle != null) {
      handle.close();
    }
    return inTime;
  }

  @Override
  public String toString() {
    return "the coordinator of " + options;
  }
}
