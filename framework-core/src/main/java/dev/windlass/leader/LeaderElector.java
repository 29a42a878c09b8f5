// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.rest.RequestStarter;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Competes with other replicas for a Lease, so that at most one replica is the leader at any time.
 *
 * <ul>
 *   <li><b>Time.</b> All decisions use the local monotonic clock. A replica remains the leader for
 *       the renew deadline, counted from the <em>start</em> of the last write that the server
 *       accepted. Other replicas wait for the lease duration, counted from the time at which they
 *       <em>observed</em> that write. The times in the Lease are informational, because wall clocks
 *       can jump and differ. The guarantee of at most one leader does not hold if the local
 *       monotonic clock stops, for example while a virtual machine is suspended.
 *   <li><b>Fence.</b> {@link #fence()} closes when the renew deadline has passed, even if this
 *       process was frozen. Check the fence before each action that only the leader may take. The
 *       fence cannot undo requests that are already in progress. Use time-outs and preconditions to
 *       limit the effect of such requests.
 *   <li><b>Server failures.</b> A server that fails or hangs never blocks the elector, because each
 *       request times out after half the renew deadline. Neither does an exec plugin or a file
 *       system, because a separate thread starts the requests. A leader that cannot renew the lease
 *       within the renew deadline loses it.
 *   <li><b>Loss of the lease.</b> The elector reports a loss to the listener after the fence has
 *       closed. It does not compete again until {@link #standAgain()} is called. All components
 *       that ran as the leader must have stopped before this call.
 *   <li><b>Changed Leases.</b> If the Lease is deleted or its holder is cleared, the leader writes
 *       the Lease again and remains the leader, unless another replica writes it first. A leader
 *       that finds another holder in the Lease, or its own identity in a record that it did not
 *       write, has lost the lease.
 *   <li><b>Stop.</b> An elector that stops while it holds the lease can release it, after all
 *       requests that have passed the fence have ended. Otherwise, the lease expires.
 * </ul>
 *
 * <p>The elector never terminates the process. All methods can be called from any thread. An
 * elector can be started again after it has been stopped.
 */
public final class LeaderElector {

  /**
   * An elector's clocks, threads and source of randomness.
   *
   * @param scheduler the monotonic clock for all decisions
   * @param clock the wall clock for the times in the Lease, which are only informational
   * @param threads the factory of the elector's thread, and of the thread that starts its requests
   * @param random the random number generator for the jitter of retries and for the suffixes of
   *     identities; must be thread-safe
   */
  public record Environment(
      Scheduler scheduler, Clock clock, ThreadFactory threads, RandomGenerator random) {}

  private final LeaderElectionOptions options;
  private final String identity;
  private final LeaseLock lock;
  private final LeaseFence fence;
  private final LeadershipReporter reporter;
  private final Environment environment;
  private final LeaderListener listener;

  private record Run(Election election, Loop loop) {}

  @GuardedBy("this")
  private @Nullable Run run;

  LeaderElector(
      LeaderElectionOptions options,
      LeaseLock lock,
      Environment environment,
      LeaderListener listener) {
    this.options = options;
    this.identity = identity(options, environment, System::getenv);
    this.lock = lock;
    this.environment = environment;
    this.listener = listener;
    this.fence = new LeaseFence(options, environment.scheduler());
    this.reporter = new LeadershipReporter(options.place(), listener, environment.scheduler());
  }

  /**
   * Creates an elector that has not been started.
   *
   * @param client the client that reads and writes the Lease. The elector's own fence must not
   *     guard this client. The caller remains responsible for closing the client
   * @throws IllegalArgumentException if neither the options nor the client specifies a namespace
   */
  public static LeaderElector create(
      KubernetesClient client,
      LeaderElectionOptions options,
      Environment environment,
      LeaderListener listener) {
    LeaderElectionOptions complete = options;
    if (options.namespace().isEmpty()) {
      String namespace = client.getConfiguration().getNamespace();
      if (namespace == null || namespace.isEmpty()) {
        throw new IllegalArgumentException(
            "the lease "
                + options.name()
                + " needs a namespace, and neither its options nor the client names one; set"
                + " WINDLASS_LEADER_ELECTION_NAMESPACE, or call withNamespace(...)");
      }
      complete = options.withNamespace(namespace);
    }
    RequestStarter starter =
        new RequestStarter("leader-" + complete.name() + "-requests", environment.threads());
    HttpLeaseLock lock = new HttpLeaseLock(client, complete, starter);
    return new LeaderElector(complete, lock, environment, listener);
  }

  /** Returns a name for this process that no other has, for the identities of several electors. */
  public static String uniqueIdentity(LeaderElectionOptions options, Environment environment) {
    return identity(options, environment, System::getenv);
  }

  static String identity(
      LeaderElectionOptions options,
      Environment environment,
      Function<String, @Nullable String> variables) {
    String name = options.identity().isEmpty() ? hostName(variables) : options.identity();
    return name + "_" + "%016x".formatted(environment.random().nextLong());
  }

  private static String hostName(Function<String, @Nullable String> variables) {
    String given = variables.apply("HOSTNAME");
    if (given != null && !given.isEmpty()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }

  /** Returns this replica's name in the Lease, including its random suffix. */
  public String identity() {
    return identity;
  }

  /** Returns the namespace and name of the Lease in the form {@code namespace/name}. */
  public String lease() {
    return options.place();
  }

  /** Returns the fence, which is open only while this replica is the leader. */
  public Fence fence() {
    return fence;
  }

  /** Returns a future that completes when all requests that have passed the fence have ended. */
  public CompletableFuture<Void> requestsEnded() {
    return fence.idle();
  }

  /** Returns a snapshot of the election, as observed by this replica. */
  public LeaderStatus status() {
    return reporter.status();
  }

  /**
   * Returns the time within which all components that ran as the leader must stop after this
   * replica has lost the lease. After this time, another replica can become the leader.
   */
  public Duration grace() {
    return options.leaseDuration().minus(options.renewDeadline());
  }

  /**
   * Starts to compete for the lease. This method returns immediately.
   *
   * @throws IllegalStateException if the elector is already competing
   */
  public synchronized void start() {
    if (run != null) {
      throw new IllegalStateException("the elector of " + lease() + " is already running");
    }
    Waker waker = new Waker();
    Election election =
        new Election(options, identity, lock, fence, reporter, environment, listener, waker::wake);
    Loop loop =
        new Loop(
            "leader-" + options.name(), election, environment.scheduler(), environment.threads());
    waker.loop = loop;
    reporter.competes(identity);
    loop.start();
    run = new Run(election, loop);
  }

  /** Wakes the elector's loop. The election needs this waker before the loop exists. */
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

  /** Makes a candidate ask {@link LeaderListener#mayClaim} again. */
  public void wake() {
    Run current = current();
    if (current != null) {
      current.loop().wake();
    }
  }

  /**
   * Releases the lease if this replica is the leader, and competes for it again when {@link
   * LeaderListener#mayClaim} says so. The fence closes first, and the release waits for the
   * requests that have passed it. Call this method only after all components that ran as the leader
   * have stopped. It returns immediately.
   */
  public void handOver() {
    Run current = current();
    if (current != null) {
      current.election().handOver();
      current.loop().wake();
    }
  }

  /**
   * Ends the leadership as a loss of the lease does, which then expires. It returns immediately.
   *
   * @param why the reason, for the log
   */
  public void abandonTerm(String why) {
    Run current = current();
    if (current != null) {
      current.election().abandonTerm(why);
      current.loop().wake();
    }
  }

  /** Competes for the lease again if this replica has lost it. Otherwise, has no effect. */
  public void standAgain() {
    Run current = current();
    if (current != null) {
      current.election().standAgain();
      current.loop().wake();
    }
  }

  /**
   * Leaves the competition for the lease, unless this replica is the leader. A leader leaves it
   * when it loses the lease or stops. This method returns immediately. Call it when a stop begins,
   * so that a standby replica does not acquire a lease under which it will not act.
   */
  public void withdraw() {
    Run current = current();
    if (current != null) {
      current.election().withdraw(options.releaseOnStop());
      current.loop().wake();
    }
  }

  /** Begins to stop the elector as {@link #stop} does, and returns immediately. */
  public void leave(boolean release) {
    Run current = current();
    if (current != null) {
      leave(current, release);
    }
  }

  private void leave(Run ending, boolean release) {
    ending.election().leave(release && options.releaseOnStop());
    ending.loop().wake();
  }

  /**
   * Stops the elector. First closes the fence. If {@code release} and {@link
   * LeaderElectionOptions#releaseOnStop()} are both true, releases the lease when all requests that
   * have passed the fence have ended. This method is idempotent. It returns true if the elector was
   * not started.
   *
   * @param limit the time limit; if the lease is not released within this limit, it expires
   * @param release whether to release the lease. Pass true only if no component acts as the leader
   *     any longer
   * @return whether the elector stopped within the limit. If it had to release the lease, the
   *     release must also have succeeded
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
    Scheduler scheduler = environment.scheduler();
    CompletableFuture<Boolean> gone = ending.election().gone();
    leave(ending, release);
    // The scheduler measures the limit, and the end of the loop ends the wait.
    Scheduler.Alarm alarm = scheduler.schedule(() -> gone.complete(false), limit);
    CompletableFuture<Void> stopped = gone.thenRun(ending.loop()::stop);
    try {
      Duration longest = Duration.ofNanos(Scheduler.saturatedNanos(limit));
      return ending.loop().join(longest) && stopped.isDone() && gone.join();
    } finally {
      alarm.cancel();
      ending.loop().stop();
    }
  }

  /**
   * Returns the elector's loop, which health checks monitor. The list is empty while the elector is
   * stopped.
   */
  public List<Loop> loops() {
    Run current = current();
    return current == null ? List.of() : List.of(current.loop());
  }

  /**
   * Returns the reason why the last attempt to read or write the lease failed, or empty if it
   * succeeded.
   */
  public Optional<String> problem() {
    return status().problem();
  }

  @Override
  public String toString() {
    return "the elector of the lease " + lease();
  }
}
