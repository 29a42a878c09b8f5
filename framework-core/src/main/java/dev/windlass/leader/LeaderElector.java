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
 *   <li><b>Time.</b> All that decides is measured by the local monotonic clock. A replica leads for
 *       a renew deadline from the <em>start</em> of the last write that the server accepted; others
 *       wait a lease duration from when they <em>saw</em> it. The times in the Lease are for
 *       people; wall clocks may jump and disagree. What breaks this is a monotonic clock that
 *       stands still while others go on, as in a virtual machine that is suspended.
 *   <li><b>Fence.</b> {@link #fence()} closes by itself when the time is over, also if this process
 *       was frozen. Ask it before whatever only the leader may do. What is on its way to the server
 *       by then can't be called back: limit it by time-outs and preconditions.
 *   <li><b>A server that fails or hangs</b> never holds the elector: each request ends after half
 *       the renew deadline. A leader that can't renew within the renew deadline has lost.
 *   <li><b>A loss</b> is told to the listener after the fence has closed. Then the elector rests
 *       until {@link #standAgain()}: whatever led must have ended before it leads again.
 *   <li><b>A Lease that somebody deletes or empties</b> is written again by its leader, who goes on
 *       unless another replica was faster. A leader that finds anybody else in it, its own identity
 *       in a record that it has not written included, has lost.
 *   <li><b>At a stop</b> the lease may be given back, on condition that it is still ours; else it
 *       expires.
 * </ul>
 *
 * <p>Nothing here ends the process. All methods may be called from any thread. It may be started
 * again after it was stopped.
 */
public final class LeaderElector {

  private final LeaderElectionOptions options;
  private final String identity;
  private final LeaseLock lock;
  private final LeaseFence fence;
  private final LeaderNews news;
  private final Surroundings surroundings;

  private record Run(Election election, Loop loop) {}

  @GuardedBy("this")
  private @Nullable Run run;

  LeaderElector(
      LeaderElectionOptions options,
      LeaseLock lock,
      Surroundings surroundings,
      LeaderListener listener) {
    this.options = options;
    this.identity = identity(options, surroundings, System::getenv);
    this.lock = lock;
    this.surroundings = surroundings;
    this.fence = new LeaseFence(options, surroundings.scheduler());
    this.news = new LeaderNews(options.place(), listener, surroundings.scheduler());
  }

  /**
   * An elector that has not been started.
   *
   * @param client which must not be guarded by the elector's own fence; stays the caller's to close
   * @throws IllegalArgumentException if neither the options nor the client name a namespace
   */
  public static LeaderElector create(
      KubernetesClient client,
      LeaderElectionOptions options,
      Surroundings surroundings,
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
      Surroundings surroundings,
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

  /** What this replica is called in the Lease, with its random suffix. */
  public String identity() {
    return identity;
  }

  /** Where the Lease is: {@code namespace/name}. */
  public String lease() {
    return options.place();
  }

  /** What only the leader may pass. */
  public Fence fence() {
    return fence;
  }

  /**
   * Completed as soon as no request is under way that has passed the fence. The lease must not be
   * given back before.
   */
  public CompletableFuture<Void> requestsEnded() {
    return fence.idle();
  }

  /** What is known now. */
  public LeaderStatus status() {
    return news.status();
  }

  /** How long it may take whoever led to end before another replica may lead. */
  public Duration grace() {
    return options.leaseDuration().minus(options.renewDeadline());
  }

  /**
   * Begins to compete, and returns at once.
   *
   * @throws IllegalStateException if it competes already
   */
  public synchronized void start() {
    if (run != null) {
      throw new IllegalStateException("the elector of " + lease() + " is running already");
    }
    Waker waker = new Waker();
    Election election =
        new Election(options, identity, lock, fence, news, surroundings, waker::wake);
    Loop loop =
        new Loop(
            "leader-" + options.name(), election, surroundings.scheduler(), surroundings.threads());
    waker.loop = loop;
    loop.start();
    run = new Run(election, loop);
  }

  /** Wakes a loop that is made later than what wakes it. */
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

  /** Competes again after a loss. Without effect otherwise. */
  public void standAgain() {
    Run current = current();
    if (current != null) {
      current.election().standAgain();
      current.loop().wake();
    }
  }

  /**
   * Ends. The fence closes, and then, if it may, the lease is given back. Repeatable; one that was
   * not started has ended.
   *
   * @param limit how long it may take; a lease that is not given back in time expires
   * @param release whether nothing acts in the name of the lease any more, so that it may be given
   *     back; {@link LeaderElectionOptions#releaseOnStop()} must be set, too
   * @return whether it ended in time, and gave the lease back if it was to and had not lost it
   * @throws InterruptedException if the caller was interrupted while it waited
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
      throw new IllegalStateException("nobody fails it", e);
    } finally {
      alarm.cancel();
      ending.loop().stop();
    }
  }

  /** The loop that must be running between start and stop, for health. */
  public List<Loop> loops() {
    Run current = current();
    return current == null ? List.of() : List.of(current.loop());
  }

  /** Why the last attempt at the lease failed; empty if it did not. */
  public Optional<String> trouble() {
    return status().trouble();
  }

  @Override
  public String toString() {
    return "the elector of the lease " + lease();
  }
}
