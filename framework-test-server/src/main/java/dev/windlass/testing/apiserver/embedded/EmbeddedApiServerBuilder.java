// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import dev.windlass.testing.apiserver.embedded.services.ServiceResolver;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.threads.BackgroundThread;
import dev.windlass.testing.apiserver.embedded.threads.DueTasks;
import dev.windlass.testing.apiserver.embedded.time.Timers;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link EmbeddedApiServer}. Complete the settings before you call {@link #start()}. This
 * class is not thread-safe.
 */
public final class EmbeddedApiServerBuilder {
  private Clock clock = Clock.systemUTC();
  private RandomGenerator random = new Random();
  private int logCapacity = 100_000;
  private int requestCapacity = 100_000;
  private Duration bookmarkInterval = Duration.ofSeconds(60);
  private Duration catchUpTimeout = Duration.ofSeconds(3);
  private boolean streamingLists = true;
  private boolean garbageCollection = true;
  private boolean deploymentController = true;
  private Duration deploymentDelay = Duration.ofMillis(50);
  private @Nullable Timers timers;
  private Runnable afterRequest = () -> {};
  private boolean sockets = true;
  private boolean tls;
  private ServiceResolver services = (namespace, name, port) -> null;

  EmbeddedApiServerBuilder() {}

  /** Sets the source of timestamps in objects. The default is the system clock. */
  public EmbeddedApiServerBuilder clock(Clock clock) {
    this.clock = clock;
    return this;
  }

  /** Sets the source of uids and generated names. The default is a new {@link Random}. */
  public EmbeddedApiServerBuilder random(RandomGenerator random) {
    this.random = random;
    return this;
  }

  /**
   * Sets the number of changes that the server keeps for each resource. A watch can resume only if
   * the server still has all later changes. The default is 100,000.
   */
  public EmbeddedApiServerBuilder logCapacity(int logCapacity) {
    if (logCapacity < 1) {
      throw new IllegalArgumentException("logCapacity must be at least 1: " + logCapacity);
    }
    this.logCapacity = logCapacity;
    return this;
  }

  /**
   * Sets the maximum number of requests to keep in {@link EmbeddedApiServer#requests()}. The
   * default is 100,000.
   */
  public EmbeddedApiServerBuilder requestCapacity(int requestCapacity) {
    if (requestCapacity < 1) {
      throw new IllegalArgumentException("requestCapacity must be at least 1: " + requestCapacity);
    }
    this.requestCapacity = requestCapacity;
    return this;
  }

  /** Sets the time between the bookmarks of a watch. The default is 60 s, as in kube-apiserver. */
  public EmbeddedApiServerBuilder bookmarkInterval(Duration bookmarkInterval) {
    if (bookmarkInterval.isZero() || bookmarkInterval.isNegative()) {
      throw new IllegalArgumentException("bookmarkInterval must be positive: " + bookmarkInterval);
    }
    this.bookmarkInterval = bookmarkInterval;
    return this;
  }

  /**
   * Sets the maximum time that a read waits for a resourceVersion that does not exist yet. The
   * server then rejects the read with 504 "Too large resource version". The default is 3 s, as in
   * kube-apiserver. If the time is zero, reads do not wait.
   */
  public EmbeddedApiServerBuilder catchUpTimeout(Duration catchUpTimeout) {
    if (catchUpTimeout.isNegative()) {
      throw new IllegalArgumentException("catchUpTimeout must not be negative: " + catchUpTimeout);
    }
    this.catchUpTimeout = catchUpTimeout;
    return this;
  }

  /**
   * Sets whether a watch can request initial events. The default is true. If false, the server
   * rejects such a watch with 422, as servers without the WatchList feature do.
   */
  public EmbeddedApiServerBuilder streamingLists(boolean streamingLists) {
    this.streamingLists = streamingLists;
    return this;
  }

  /** Sets whether the server deletes objects whose owners no longer exist. The default is true. */
  public EmbeddedApiServerBuilder garbageCollection(boolean garbageCollection) {
    this.garbageCollection = garbageCollection;
    return this;
  }

  /** Sets whether the server reports Deployments as available. The default is true. */
  public EmbeddedApiServerBuilder deploymentController(boolean deploymentController) {
    this.deploymentController = deploymentController;
    return this;
  }

  /**
   * Sets the time between a change to a Deployment and the update of its status. The default is 50
   * ms.
   */
  public EmbeddedApiServerBuilder deploymentDelay(Duration deploymentDelay) {
    if (deploymentDelay.isNegative()) {
      throw new IllegalArgumentException(
          "deploymentDelay must not be negative: " + deploymentDelay);
    }
    this.deploymentDelay = deploymentDelay;
    return this;
  }

  /**
   * Sets the timers that run the server's background tasks: watch time-outs and bookmarks, the
   * Deployment delay, the garbage collector and the other controllers, and the delivery of watch
   * events through an {@link InMemoryTransport}. By default, the server runs these tasks on its own
   * threads, in real time. If you set timers, also set a {@link #clock} that uses the same source
   * of time.
   */
  public EmbeddedApiServerBuilder timers(Timers timers) {
    this.timers = timers;
    return this;
  }

  /**
   * Configures a server that has no port and no threads for requests. Clients can reach such a
   * server only through {@linkplain EmbeddedApiServer#inMemory in-memory transports}. If {@link
   * #timers} are also set, the server uses no threads at all, and its reads never wait for a future
   * resourceVersion, as with a {@link #catchUpTimeout} of zero.
   */
  public EmbeddedApiServerBuilder withoutSockets() {
    sockets = false;
    return this;
  }

  /**
   * Configures a server that has no port and no threads, so that it need not be closed. After each
   * request, the thread of that request runs the tasks that are due: it empties deleted namespaces,
   * collects garbage and delivers watch events. Tasks with a delay, such as bookmarks and the
   * time-outs of watches, never run. Use it for tests that run on one thread.
   */
  public EmbeddedApiServerBuilder withoutThreads() {
    DueTasks tasks = new DueTasks();
    afterRequest = tasks::run;
    return timers(tasks).withoutSockets();
  }

  /**
   * Makes the server use HTTPS instead of plain HTTP, with a certificate of a new certificate
   * authority. The administrator's configuration and kubeconfig contain this authority and a client
   * certificate, as those of a real cluster do. The server does not require the client certificate.
   * In-memory connections do not use TLS.
   */
  public EmbeddedApiServerBuilder withTls() {
    tls = true;
    return this;
  }

  /**
   * Sets the resolver of Service addresses, for webhooks that are configured with a Service. The
   * server calls the resolver only if the EndpointSlices and Endpoints of the Service contain no
   * address. The default resolver does not return an address.
   */
  public EmbeddedApiServerBuilder resolveServices(ServiceResolver services) {
    this.services = services;
    return this;
  }

  /** Starts the server, which runs until {@link EmbeddedApiServer#close()} is called. */
  public EmbeddedApiServer start() {
    return new EmbeddedApiServer(this);
  }

  Clock clock() {
    return clock;
  }

  RandomGenerator random() {
    return random;
  }

  int logCapacity() {
    return logCapacity;
  }

  int requestCapacity() {
    return requestCapacity;
  }

  Duration bookmarkInterval() {
    return bookmarkInterval;
  }

  Duration catchUpTimeout() {
    return timers != null && !sockets ? Duration.ZERO : catchUpTimeout;
  }

  ServiceResolver services() {
    return services;
  }

  /** Returns new certificates, or null for plain HTTP. */
  @Nullable ApiServerTls tls() {
    return tls ? new ApiServerTls(Clock.systemUTC()) : null;
  }

  boolean sockets() {
    return sockets;
  }

  /** Returns an action to run after each request in memory. */
  Runnable afterRequest() {
    return afterRequest;
  }

  /** Returns a runner for background tasks. The server must close the runner. */
  Background background(String purpose) {
    Timers own = timers;
    return own == null ? new BackgroundThread("embedded-apiserver-" + purpose) : Background.on(own);
  }

  boolean streamingLists() {
    return streamingLists;
  }

  boolean garbageCollection() {
    return garbageCollection;
  }

  boolean deploymentController() {
    return deploymentController;
  }

  Duration deploymentDelay() {
    return deploymentDelay;
  }
}
