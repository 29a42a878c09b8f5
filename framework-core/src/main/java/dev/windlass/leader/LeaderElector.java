// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Competes with other replicas for a Lease, so that at most one of them leads.
 *
 * <ul>
 *   <li><b>Time.</b> All decisions use the local monotonic clock. A replica leads for the renew
 *       deadline, counted from the <em>start</em> of the last write that the server accepted. Other
 *       replicas wait for the lease duration, counted from when they <em>saw</em> that write. The
 *       times in the Lease are informational; wall clocks may jump and disagree. This guarantee
 *       does not hold if the local monotonic clock stops, for example while a virtual machine is
 *       suspended.
 *   <li><b>Fence.</b> {@link #fence()} closes by itself when that time is over, even if this
 *       process was frozen. Check it before each action that only the leader may take. It can't
 *       undo requests that are already under way: limit them by time-outs and preconditions.
 *   <li><b>A server that fails or hangs</b> never blocks the elector: each request ends after half
 *       the renew deadline. A leader that can't renew within the renew deadline has lost the lease.
 *   <li><b>A loss</b> is reported to the listener after the fence has closed. The elector then
 *       rests until {@link #standAgain()}: everything that ran as the leader must have ended before
 *       this replica leads again.
 *   <li><b>A Lease that is deleted or emptied</b> is written again by its leader, which continues
 *       to lead unless another replica was faster. A leader that finds another holder in the Lease,
 *       or its own identity in a record that it did not write, has lost the lease.
 *   <li><b>On stop</b>, the elector may release the lease, provided that it still holds it;
 *       otherwise the lease expires.
 * </ul>
 *
 * <p>The elector never ends the process. All methods may be called from any thread. It can be
 * started again after it was stopped.
 */
public final class LeaderElector {

  private final LeaderElectionOptions options;
  private final String identity;
  private final LeaseLock lock;
  private final LeaseFence fence;
  private final LeadershipReporter reporter;
  private final ElectionEnvironment surroundings;

  private record Run(Election election, Loop loop) {}

  @GuardedBy("this")
  private @Nullable Run run;

  LeaderElector(
      LeaderElectionOptions options,
      LeaseLock lock,
      ElectionEnvironment surroundings,
      LeaderListener listener) {
    this.options = options;
    this.identity = identity(options, surroundings, System::getenv);
    this.lock = lock;
    this.surroundings = surroundings;
    this.fence = new LeaseFence(options, surroundings.scheduler());
    this.reporter = new LeadershipReporter(options.place(), listener, surroundings.scheduler());
  }

  /**
   * Creates an elector that has not been started.
   *
   * @param client must not be guarded by the elector's own fence; the caller remains responsible
   *     for closing it
   * @throws IllegalArgumentException if neither the options nor the client name a namespace
   */
  public static LeaderElector create(
      KubernetesClient client,
      LeaderElectionOptions options,
      ElectionEnvironment surroundings,
      LeaderListener listener) {
    LeaderElectionOptions complete = options;
    if (options.namespace().isEmpty()) {
      String namespace = client.getConfiguration().getNamespace();
      if (namespace == null || namespace.isEmpty()) {
        throw new IllegalArgumentException(
            "the lease "
                + options.name()
                + " needs a namespace, and neither its options nor the client names one; call"
                + " withNamespace(...)");
      }
      complete = options.withNamespace(namespace);
    }
    return new LeaderElector(complete, new HttpLeaseLock(client, complete), surroundings, listener);
  }

  static String identity(
      LeaderElectionOptions options,
      ElectionEnvironment surroundings,
      Function<String, @Nullable String> environment) {
    String name = options.identity().isEmpty() ? hostName(environment) : options.identity();
    return name + "_" + "%016x".formatted(surroundings.random().nextLong());
  }

  private static String hostName(Function<String, @Nullable String> environment) {
    String given = environment.apply("HOSTNAME");
    if (given != null && !given.isEmpty()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }

  /** Returns the name of this replica in the Lease, with its random suffix. */
  public String identity() {
    return identity;
  }

  /** Returns the location of the Lease: {@code namespace/name}. */
  public String lease() {
    return options.place();
  }

  /** Returns the fence, which is open only while this replica leads. */
  public Fence fence() {
    return fence;
  }

  /**
   * Returns a future that completes as soon as no request that has passed the fence is under way.
   * The lease must not be released before that.
   */
  public CompletableFuture<Void> requestsEnded() {
    return fence.idle();
  }

  /** Returns a snapshot of the election, as known to this replica. */
  public LeaderStatus status() {
    return reporter.status();
  }

  /**
   * Returns the time within which everything that ran as the leader must end, because another
   * replica may lead afterwards.
   */
  public Duration grace() {
    return options.leaseDuration().minus(options.renewDeadline());
  }

  /**
   * Starts to compete, and returns at once.
   *
   * @throws IllegalStateException if it is already competing
   */
  public synchronized void start() {
    if (run != null) {
      throw new IllegalStateException("the elector of " + lease() + " is already running");
    }
    Waker waker = new Waker();
    Election election =
        new Election(options, identity, lock, fence, reporter, surroundings, waker::wake);
    Loop loop =
        new Loop(
            "leader-" + options.name(), election, surroundings.scheduler(), surroundings.threads());
    waker.loop = loop;
    reporter.competes(identity);
    loop.start();
    run = new Run(election, loop);
  }

  /** Wakes a loop that is created later than the object that wakes it. */
  private static final class Waker {
    private volatile @Nullable Loop loop;

    void wake() {
      Loop current = loop;
      if (current != null) {
        current.wake();
      }
    }
  }

  private synchronized @Nullable Run current() {
    return run;
  }

  /** Competes again after a loss. Otherwise has no effect. */
  public void standAgain() {
    Run current = current();
    if (current != null) {
      current.election().standAgain();
      current.loop().wake();
    }
  }

  /**
   * Stops the elector: closes the fence, and then releases the lease if it may. Idempotent; an
   * elector that was not started counts as stopped.
   *
   * @param limit how long the stop may take; a lease that is not released in time expires
   * @param release whether nothing acts under the lease any more, so that it may be released;
   *     {@link LeaderElectionOptions#releaseOnStop()} must be set as well
   * @return whether the elector stopped in time and, if it still held the lease and was to release
   *     it, released it
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean stop(Duration limit, boolean release) throws InterruptedException {
    Run ending;
    synchronized (this) {
      ending = run;
      run = null;
    }
    if (ending == null) {
      return true;
    }
    Scheduler scheduler = surroundings.scheduler();
    CompletableFuture<Boolean> gone = ending.election().gone();
    ending.election().leave(release && options.releaseOnStop());
    ending.loop().wake();
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    Scheduler.Alarm alarm = scheduler.schedule(() -> gone.complete(false), limit);
    try {
      boolean clean = gone.get();
      ending.loop().stop();
      return ending.loop().join(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())))
          && clean;
    } catch (ExecutionException e) {
      throw new IllegalStateException("this future never fails", e);
    } finally {
      alarm.cancel();
      ending.loop().stop();
    }
  }

  /** Returns the loop that must be running between start and stop, for health checks. */
  public List<Loop> loops() {
    Run current = current();
    return current == null ? List.of() : List.of(current.loop());
  }

  /** Returns why the last attempt to read or write the lease failed; empty if it succeeded. */
  public Optional<String> problem() {
    return status().problem();
  }

  @Override
  public String toString() {
    return "the elector of the lease " + lease();
  }
}
