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
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What starts when one lease is held, and stops when it is lost: the components of {@link
 * Phase#LEADER} of a manager, or those that have a lease of their own ({@link
 * Manager#leaderGroup}).
 *
 * <ul>
 *   <li>Nothing of it starts before the server has accepted that this replica leads.
 *   <li>When the lease is lost, the {@link #fence} is closed first; then all of it is cancelled at
 *       once, and stopped within the time before another replica may lead. {@link OnLeadershipLost}
 *       says what follows.
 *   <li>Writes through {@link #client()} and {@link #kubernetesClient()} are refused with {@link
 *       LeadershipLostException} while the fence is closed, on a replica that stands by, too.
 *   <li>At the manager's stop the lease is given back last of all, if all of it has ended in time;
 *       else it is left to expire, as somebody may still act in its name.
 * </ul>
 *
 * <p>All methods may be called from any thread.
 */
public final class LeaderGroup {

  /** How long the elector may take to see that it resigns: 30 s. */
  private static final Duration RESIGN = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** How long a stop waits for requests after all components have ended: 2 s. */
  private static final Duration REQUESTS = Duration.ofSeconds(2);

  private final GroupHost host;
  private final LeaderElectionOptions options;
  private final LeaderElector elector;
  private final KubernetesClient kubernetesClient;
  private final Client client;
  private final Loop loop;

  /** Whether the stop has come, so that nothing may begin. */
  @GuardedBy("this")
  private boolean over;

  @GuardedBy("this")
  private boolean begun;

  private volatile boolean leading;
  private volatile boolean outlived;
  private volatile @Nullable LeadershipLostException lost;

  /**
   * The group of a lease. A process with two electors of one lease would compete with itself.
   *
   * @param groups those that there are, to which a new one is added
   */
  static LeaderGroup in(List<LeaderGroup> groups, GroupHost host, LeaderElectionOptions options) {
    synchronized (groups) {
      for (LeaderGroup group : groups) {
        if (group.hasLeaseOf(options)) {
          return group;
        }
      }
      LeaderGroup created = new LeaderGroup(host, options);
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
          "the lease %s is competed for already, with other settings: give the same LeaderElectionOptions again, or choose another lease"
              .formatted(lease()));
    }
    return true;
  }

  private static LeaderElectionOptions in(String namespace, LeaderElectionOptions options) {
    return namespace.isEmpty() ? options : options.withNamespace(namespace);
  }

  LeaderGroup(GroupHost host, LeaderElectionOptions options) {
    this.host = host;
    this.options = options;
    this.elector = host.elector(options, new News());
    this.kubernetesClient = host.guarded(elector.fence());
    this.client = host.cached(kubernetesClient);
    this.loop = host.loop("leader-" + options.name() + "-components", this::step);
  }

  /** Called by the elector's thread. */
  private final class News implements LeaderListener {

    @Override
    public void startedLeading() {
      leading = true;
      loop.wake();
    }

    @Override
    public void stoppedLeading(LeadershipLostException why) {
      leading = false;
      lost = why;
      host.components().cancel(LeaderGroup.this, elector.grace());
      loop.wake();
    }
  }

  /** Begins to compete, when what may be warmed up is warm. */
  void begin() {
    if (!host.components().hasReached(Phase.LEADER)) {
      return; // the manager begins it when that is so
    }
    host.components().warmUp(this);
    synchronized (this) {
      if (!over && !begun) {
        begun = true;
        loop.start();
        elector.start();
      }
    }
  }

  /** Lets what was added start, if this replica leads, and else get ready. */
  void added(Slot slot) {
    if (!mayStart()) {
      host.components().warmUp(slot);
    }
    loop.wake();
  }

  /** Whether its components may start now. */
  boolean mayStart() {
    return leading && elector.fence().holds();
  }

  private Pause step() {
    LeadershipLostException why = lost;
    if (why != null) {
      lost = null;
      afterLoss(why);
    } else if (mayStart()) {
      try {
        host.components().start(this);
      } catch (RuntimeException | Error e) {
        if (mayStart()) {
          host.fail(e);
        }
      }
      Thread.interrupted(); // a loss may have come too late to interrupt a start
    }
    return Pause.UNTIL_WOKEN;
  }

  private void afterLoss(LeadershipLostException why) {
    boolean ended = host.components().end(this, host.endings().in(elector.grace()));
    if (host.components().isSealed()) {
      return; // the lease was given back, or lost on the way to that
    }
    if (!ended || host.onLost() == OnLeadershipLost.STOP) {
      host.fail(why);
      return;
    }
    try {
      host.components().warmUp(this);
      elector.standAgain();
    } catch (RuntimeException | Error e) {
      host.fail(e);
    }
  }

  /** The loops that must be running now, for health. */
  synchronized List<Loop> loops() {
    return over || !begun
        ? List.of()
        : Stream.concat(Stream.of(loop), elector.loops().stream()).toList();
  }

  /** Where the Lease is: {@code namespace/name}. */
  String lease() {
    return elector.lease();
  }

  /**
   * Gives up to lead, and stops the manager: what led does not work, and may not react. The fence
   * closes, and the lease expires.
   */
  void resign(RuntimeException why) throws InterruptedException {
    outlived = true;
    host.fail(why);
    elector.stop(RESIGN, false); // it must come to its step, in which it closes the fence
  }

  /** Something that was removed has not ended, so the lease must not be given back. */
  void leaveToExpire() {
    outlived = true;
  }

  /** Ends the election; its components have been stopped. Whether all is over. */
  boolean end(long deadline) {
    synchronized (this) {
      over = true;
    }
    loop.stop();
    boolean idle = !outlived && host.components().hasEnded(this) && requestsEnd(deadline);
    boolean ended = host.endings().end(elector, limit -> endElection(limit, idle), deadline);
    return host.endings().end(this, loop::join, deadline) && ended;
  }

  /**
   * Waits for requests that nobody waits for any more: those of interrupted reconciles, and what
   * was sent without waiting.
   */
  private boolean requestsEnd(long deadline) {
    Duration most = host.endings().until(deadline).dividedBy(2);
    boolean ended =
        host.endings()
            .await(elector.requestsEnded(), most.compareTo(REQUESTS) < 0 ? most : REQUESTS);
    if (!ended && status().leading()) {
      log.warn(
          "Leaving the lease {} to expire, because a request that was sent in its name has not ended",
          elector.lease());
    }
    return ended;
  }

  private boolean endElection(Duration limit, boolean idle) throws InterruptedException {
    boolean outlasted = outlived || !host.components().hasEnded(this);
    if (outlasted && status().leading()) {
      log.warn(
          "Leaving the lease {} to expire, because something that runs in its name has not ended: {}",
          elector.lease(),
          outlived ? "a component that was removed" : host.components().unended(this));
    }
    return elector.stop(limit, idle);
  }

  /** What only the leader may pass. */
  public Fence fence() {
    return elector.fence();
  }

  /**
   * Needed only by components of this group that are no controllers: writes while the group's lease
   * is held. A reconcile has {@code ReconcileContext.client}.
   */
  public Client client() {
    return client;
  }

  /** The fabric8 client under it. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** What this replica is called in the Lease. */
  public String identity() {
    return elector.identity();
  }

  /** Who leads, and what is wrong with the lease. */
  public LeaderStatus status() {
    return elector.status();
  }

  /** What keeps the lease from being read or written; empty if nothing does. */
  public Optional<String> trouble() {
    return elector.trouble();
  }

  /**
   * Adds a component of {@link Phase#LEADER} that starts when this group leads.
   *
   * @param name what the component is called; no other one of the manager may have it
   * @throws IllegalStateException if the name is taken, or the manager has stopped
   */
  public void add(String name, ManagedComponent component) {
    host.add(name, component, this);
  }

  @Override
  public String toString() {
    return "what leads by the lease " + elector.lease();
  }
}
