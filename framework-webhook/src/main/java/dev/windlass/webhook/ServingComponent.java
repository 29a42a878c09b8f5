// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.webhook.server.WebhookServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Starts the webhook server before the caches, and stops it after them. When the manager begins to
 * stop, the server continues to respond to requests for a limited time. In the meantime, the API
 * servers stop sending requests to this replica. This class is thread-safe.
 */
final class ServingComponent implements ManagedComponent {

  /**
   * The divisor of the shutdown time. A quarter of this time is reserved for requests in progress.
   */
  private static final int RESERVE = 4;

  /**
   * The time without requests after which a stopping server closes its connections: 1 s, or the
   * drain time if it is shorter.
   */
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final WebhookServer server;
  private final Duration drain;
  private final Scheduler scheduler;

  /** The time at which draining began; null if it has not begun. */
  @GuardedBy("this")
  private @Nullable Long drainingSince;

  ServingComponent(WebhookServer server, Duration drain, Scheduler scheduler) {
    this.server = server;
    this.drain = drain;
    this.scheduler = scheduler;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public void start() throws IOException {
    server.start();
  }

  /**
   * Begins to drain the server. Clients then open their next connections to other replicas. Only
   * the first call has an effect.
   */
  synchronized void drain() {
    if (drainingSince == null) {
      drainingSince = scheduler.nanoTime();
      server.drain();
    }
  }

  synchronized boolean isDraining() {
    return drainingSince != null;
  }

  private synchronized Duration elapsed() {
    return drainingSince == null
        ? Duration.ZERO
        : Duration.ofNanos(scheduler.nanoTime() - drainingSince);
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    if (server.port().isEmpty()) {
      return true; // the server never started
    }
    drain();
    long begun = scheduler.nanoTime();
    Duration most = limit.minus(limit.dividedBy(RESERVE));
    Duration wait = drain.minus(elapsed());
    try {
      sleep(wait.compareTo(most) < 0 ? wait : most);
    } catch (InterruptedException e) {
      var unused = server.stop(Duration.ZERO, Duration.ZERO);
      throw e;
    }
    Duration quiet = drain.compareTo(QUIET) < 0 ? drain : QUIET;
    return server.stop(limit.minusNanos(scheduler.nanoTime() - begun), quiet);
  }

  private void sleep(Duration time) throws InterruptedException {
    if (time.isNegative() || time.isZero()) {
      return;
    }
    CompletableFuture<Void> over = new CompletableFuture<>();
    Scheduler.Alarm alarm = scheduler.schedule(() -> over.complete(null), time);
    try {
      over.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("this future never fails", e);
    } finally {
      alarm.cancel();
    }
  }

  @Override
  public String toString() {
    return "the webhooks";
  }

  /**
   * Begins to drain the server when the manager begins to stop, before any component is stopped.
   */
  final class StopNotice implements ManagedComponent {

    @Override
    public Phase phase() {
      return Phase.ALWAYS;
    }

    @Override
    public void start() {}

    @Override
    public void cancel(Duration limit) {
      drain();
    }

    @Override
    public boolean stop(Duration limit) {
      return true;
    }

    @Override
    public String toString() {
      return "the notice for webhooks";
    }
  }
}
