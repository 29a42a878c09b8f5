// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.Client;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.leader.LeaderStatus;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components that start when this replica acquires a lease and stop when it loses the lease.
 * They are either a manager's {@link Phase#LEADER} components or components that depend on a
 * separate lease ({@link Manager#leaderGroup}).
 *
 * <ul>
 *   <li>Components start only after the server has accepted this replica's write to the Lease.
 *   <li>When the lease is lost, the {@link #fence} closes first. The manager then cancels the
 *       group's components immediately, and stops them before another replica can become the
 *       leader. {@link OnLeadershipLost} determines whether the replica then competes again.
 *   <li>Writes through {@link #client()} and {@link #kubernetesClient()} fail with {@link
 *       LeadershipLostException} while the fence is closed. This also applies to a standby replica.
 *   <li>The group of a shard hands its lease over when other replicas own too few. Its components
 *       stand down before the fence closes. If they do not, the lease expires, and this replica
 *       does not compete for it before they have ended.
 *   <li>When the manager stops, a standby replica no longer competes for the lease. The leader
 *       releases it as soon as the group's components have stopped and their requests have ended.
 *       If they do not stop within the shutdown time-out, the lease expires, because a component
 *       may still be acting as the leader.
 * </ul>
 *
 * <p>All methods can be called from any thread.
 */
public final class LeaderGroup {

  /** The time limit for the elector to process a resignation: 30 s. */
  private static final Duration RESIGN = Duration.ofSeconds(30);

  /** The time between attempts to end components that have outlasted their term: 1 s. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** The time limit for requests to complete after all components have stopped: 2 s. */
  private static final Duration REQUESTS = Duration.ofSeconds(2);

  private final LeaderGroupContext context;
  private final LeaderElectionOptions options;
  private final LeaderElector elector;

  /** Decides when the group competes. */
  private final LeaderListener place;

  /** Whether the lease is that of a shard, whose loss concerns no other. */
  private final boolean isShard;

  private final KubernetesClient kubernetesClient;
  private final Client client;
  private final Loop loop;

  /** Whether the election has been stopped, so that no loop has to be running. */
  @GuardedBy("this")
  private boolean over;

  @GuardedBy("this")
  private boolean begun;

  private volatile boolean leading;
  private volatile boolean outlived;
  private volatile boolean handingOver;

  /** Why the last term ended, if its components have not ended since. */
  private volatile @Nullable LeadershipLostException outlasted;

  private volatile @Nullable LeadershipLostException lost;

  /** Why the group does not compete; null if it does. */
  private volatile @Nullable String waiting;

  /**
   * Returns the group for a lease, and creates the group if it does not exist. A lease must not
   * have two groups, because two electors for one lease in a process would compete with each other.
   *
   * @param groups the existing groups, to which a new group is added
   */
  static LeaderGroup in(
      List<LeaderGroup> groups, LeaderGroupContext context, LeaderElectionOptions options) {
    synchronized (groups) {
      for (LeaderGroup group : groups) {
        if (group.hasLeaseOf(options)) {
          return group;
        }
      }
      LeaderGroup created = new LeaderGroup(context, options, new LeaderListener() {}, false);
      groups.add(created);
      return created;
    }
  }

  private boolean hasLeaseOf(LeaderElectionOptions other) {
    String home =
        Objects.requireNonNullElse(kubernetesClient.getConfiguration().getNamespace(), "");
    LeaderElectionOptions complete = other.namespace().isEmpty() ? in(home, other) : other;
    LeaderElectionOptions ours = options.namespace().isEmpty() ? in(home, options) : options;
    if (!ours.name().equals(complete.name()) || !ours.namespace().equals(complete.namespace())) {
      return false;
    }
    if (!ours.equals(complete)) {
      throw new IllegalArgumentException(
          "the lease %s is already used with other settings: pass the same LeaderElectionOptions, or choose another lease"
              .formatted(lease()));
    }
    return true;
  }

  private static LeaderElectionOptions in(String namespace, LeaderElectionOptions options) {
    return namespace.isEmpty() ? options : options.withNamespace(namespace);
  }

  LeaderGroup(
      LeaderGroupContext context,
      LeaderElectionOptions options,
      LeaderListener place,
      boolean isShard) {
    this.context = context;
    this.options = options;
    this.place = place;
    this.isShard = isShard;
    this.elector = context.elector(options, new ElectionListener());
    this.kubernetesClient = context.guarded(elector.fence());
    this.client = context.cached(kubernetesClient);
    this.loop = context.loop("leader-" + options.name() + "-components", this::step);
  }

  /** Receives the elector's notifications on the elector's thread. */
  private final class ElectionListener implements LeaderListener {

    @Override
    public void startedLeading() {
      leading = true;
      loop.wake();
    }

    @Override
    public void stoppedLeading(LeadershipLostException why) {
      leading = false;
      lost = why;
      context.components().cancel(LeaderGroup.this, elector.grace());
      loop.wake();
    }

    @Override
    public boolean mayClaim() {
      return place.mayClaim();
    }

    @Override
    public long observedAt(String version, long now) {
      return place.observedAt(version, now);
    }

    @Override
    public CompletableFuture<Optional<String>> rival() {
      return place.rival();
    }
  }

  /** Makes the elector ask again whether to compete. */
  void compete() {
    elector.wake();
  }

  /** Returns whether nothing of an earlier term prevents this replica from leading. */
  boolean canLead() {
    return !handingOver && outlasted == null;
  }

  /** Stops the components, and then hands the lease over. Returns immediately. */
  void handOver() {
    handingOver = true;
    loop.wake();
  }

  /** Sets why the group does not compete, or null. */
  void waitFor(@Nullable String what) {
    waiting = what;
  }

  /** Returns why the group does not compete; empty if it does. */
  Optional<String> waiting() {
    return Optional.ofNullable(waiting);
  }

  boolean isHandingOver() {
    return handingOver;
  }

  /** Warms up the components, and then starts to compete for the lease. */
  void begin() {
    if (!context.components().hasReached(Phase.LEADER)) {
      return; // the manager calls this method again in that phase
    }
    context.components().warmUp(this);
    synchronized (this) {
      if (!begun && !context.components().isSealed()) {
        begun = true;
        loop.start();
        elector.start();
      }
    }
  }

  /** Starts a newly added component if this replica is the leader, or warms it up otherwise. */
  void added(RegisteredComponent slot) {
    if (!mayStart()) {
      context.components().warmUp(slot);
    }
    loop.wake();
  }

  boolean mayStart() {
    return leading && !handingOver && elector.fence().holds();
  }

  private StepDelay step() {
    LeadershipLostException why = lost != null ? lost : outlasted;
    if (why != null) {
      lost = null;
      return afterLoss(why);
    } else if (handingOver && leading) {
      standDownToHandOver();
    } else if (mayStart()) {
      try {
        context.components().start(this);
      } catch (RuntimeException | Error e) {
        if (mayStart()) {
          failed(e);
        }
      }
      Thread.interrupted(); // clears an interrupt caused by a loss of the lease after the start
    }
    return StepDelay.UNTIL_WOKEN;
  }

  /**
   * Stops the components while the lease is still renewed. If they do not end in time, the lease is
   * not released, but expires, as if the replica had lost it.
   */
  private void standDownToHandOver() {
    context.components().cancel(this, elector.grace());
    if (context.components().end(this, true, context.stopSequence().in(elector.grace()))) {
      elector.handOver();
    } else {
      elector.abandonTerm("its components have not ended in time to hand it over");
    }
  }

  private StepDelay afterLoss(LeadershipLostException why) {
    boolean standBy = isShard || context.onLost() == OnLeadershipLost.STAND_BY;
    boolean ended =
        context.components().end(this, standBy, context.stopSequence().in(elector.grace()));
    if (context.components().isSealed()) {
      return StepDelay.UNTIL_WOKEN; // the lease was released or lost during the stop
    }
    if (!ended && isShard) {
      outlasted = why; // it keeps this replica from this shard, and from no other
      return StepDelay.of(RETRY);
    }
    if (!ended || !standBy) {
      context.fail(why);
      return StepDelay.UNTIL_WOKEN;
    }
    try {
      context.components().warmUp(this);
      outlasted = null;
      handingOver = false;
      elector.standAgain();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    return StepDelay.UNTIL_WOKEN;
  }

  /** Reports that a component could not start, unless the manager stops, which may be the cause. */
  private void failed(Throwable failure) {
    if (context.components().isSealed()) {
      log.debug("The components of the lease {} did not start during the stop", lease(), failure);
    } else {
      context.fail(failure);
    }
  }

  /** Returns the loops that must currently be running, for health checks. */
  synchronized List<Loop> loops() {
    return over || !begun
        ? List.of()
        : Stream.concat(Stream.of(loop), elector.loops().stream()).toList();
  }

  /** Returns the Lease's location as {@code namespace/name}. */
  String lease() {
    return elector.lease();
  }

  /**
   * Resigns leadership and stops the manager, because a component of this group has failed and may
   * not react to shutdown. The fence closes. The lease is not released, but expires.
   */
  void resign(RuntimeException why) throws InterruptedException {
    outlived = true;
    context.fail(why);
    elector.stop(RESIGN, false); // waits for the elector's step, which closes the fence
  }

  /**
   * Prevents the release of the lease, because a removed component has not stopped. The lease
   * expires instead.
   */
  void leaveToExpire() {
    outlived = true;
  }

  /** Closes the fence and lets the lease expire, after a fatal error. Returns immediately. */
  void abandon() {
    outlived = true;
    elector.leave(false);
  }

  /**
   * Leaves the competition for the lease, unless this replica is the leader. Call this method when
   * components can no longer start.
   */
  synchronized void withdraw() {
    elector.withdraw();
  }

  /**
   * Releases the lease if all components of the group have stopped, and returns immediately. The
   * fence closes first, and the elector waits for the requests that have passed it.
   */
  void giveBack() {
    if (!outlived && context.components().hasEnded(this)) {
      elector.leave(true);
    }
  }

  /**
   * Stops the election after the group's components have stopped.
   *
   * @return whether the elector and the group's thread stopped before the deadline
   */
  boolean end(Deadline deadline) {
    synchronized (this) {
      over = true;
    }
    loop.stop();
    boolean idle = !outlived && context.components().hasEnded(this) && requestsEnd(deadline);
    boolean ended =
        context.stopSequence().end(elector, limit -> endElection(limit, idle), deadline);
    return context.stopSequence().end(this, loop::join, deadline) && ended;
  }

  /**
   * Waits for requests that can continue after the components have stopped. These are the requests
   * of interrupted reconciles and asynchronous requests.
   *
   * @return whether all requests ended in time
   */
  private boolean requestsEnd(Deadline deadline) {
    Duration most = deadline.left().dividedBy(2);
    boolean ended =
        context
            .stopSequence()
            .await(elector.requestsEnded(), most.compareTo(REQUESTS) < 0 ? most : REQUESTS);
    if (!ended && status().holder().filter(identity()::equals).isPresent()) {
      log.warn(
          "Letting the lease {} expire, because a request that was sent under it has not ended",
          elector.lease());
    }
    return ended;
  }

  private boolean endElection(Duration limit, boolean idle) throws InterruptedException {
    boolean outlasted = outlived || !context.components().hasEnded(this);
    if (outlasted && status().leading()) {
      log.warn(
          "Letting the lease {} expire, because it is still in use by {}",
          elector.lease(),
          outlived ? "a component that was removed" : context.components().unended(this));
    }
    return elector.stop(limit, idle);
  }

  /** Returns the fence, which is open only while this replica holds the group's lease. */
  public Fence fence() {
    return elector.fence();
  }

  /**
   * Returns a client whose writes succeed only while this replica holds the group's lease. Use it
   * in components other than controllers. A reconcile should use {@code ReconcileContext.client}.
   */
  public Client client() {
    return client;
  }

  /** Returns the fabric8 client that {@link #client()} uses. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** Returns this replica's name in the Lease. */
  public String identity() {
    return elector.identity();
  }

  /**
   * Returns a snapshot of the leader election. The snapshot includes the last known holder of the
   * lease, and the current problem with the lease, if there is one.
   */
  public LeaderStatus status() {
    return elector.status();
  }

  /**
   * Returns the reason why the lease cannot be read or written, or empty if there is no problem.
   */
  public Optional<String> problem() {
    return elector.problem();
  }

  /**
   * Adds a component of {@link Phase#LEADER}. The component starts when this replica acquires the
   * group's lease, or immediately if the replica already holds it.
   *
   * @param name the component's name, which must be unique within the manager
   * @throws IllegalStateException if another component has this name, or if the manager has stopped
   */
  public void add(String name, ManagedComponent component) {
    context.add(name, component, this);
  }

  @Override
  public String toString() {
    return "the components of the lease " + elector.lease();
  }
}
