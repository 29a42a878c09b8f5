// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a few small pages, such as health checks and metrics, with the JDK's HTTP server. Each
 * endpoint has its own threads.
 *
 * <ul>
 *   <li>The endpoint accepts only GET and HEAD requests without a body. The headers are limited to
 *       16 KiB, and the path and query to 4 KiB.
 *   <li>A request must arrive completely within 5 s, and its response must be sent within 15 s.
 *       Both times are measured from the moment when a thread begins to process the request.
 *   <li>The endpoint produces at most four pages concurrently. It processes at most 128 requests
 *       concurrently, and at most 1,024 further requests wait for a thread. If these limits are
 *       reached, the endpoint closes the connection of a new request without reading the request.
 *   <li>While requests wait for a thread, the endpoint closes connections whose requests have not
 *       arrived completely within 50 ms. Clients that send one byte and then stop therefore cannot
 *       block other clients.
 *   <li>The JDK's server closes idle connections after 30 s by default. It can limit the total
 *       number of connections only for the whole process, with the system property {@code
 *       jdk.httpserver.maxConnections}.
 * </ul>
 *
 * <p>An endpoint can be started again after it has been stopped. This class is thread-safe.
 */
public final class HttpEndpoint {

  /** The maximum number of pages that are produced concurrently. */
  static final int PAGES = 4;

  /**
   * The limits for request threads. Each thread uses about 60 KB of stack. While other requests
   * wait, the connections of slow clients are closed after 50 ms, so the 128 threads can close
   * 2,560 connections per second. The limit of 5 s for the arrival of a request allows for a slow
   * TLS handshake, which can take several round trips. The limit of 15 s for the response exceeds
   * the 10 s that the review of a token can take.
   */
  static final RequestThreads.Limits LIMITS =
      new RequestThreads.Limits(
          128, 1_024, Duration.ofMillis(50), Duration.ofSeconds(5), Duration.ofSeconds(15));

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  private final String name;
  private final BindAddress address;
  private final Scheduler scheduler;
  private final ThreadFactory threads;
  private final @Nullable ServerCertificate certificate;
  private final PageHandler handler;
  private final Map<String, Page> pages = new ConcurrentHashMap<>();

  private record Running(HttpServer server, RequestThreads requests, @Nullable Loop certificates) {}

  @GuardedBy("this")
  private @Nullable Running running;

  private volatile int port = -1;

  /**
   * Creates an endpoint without starting it.
   *
   * @param name the endpoint's name in thread names and logs
   * @param certificate the certificate for TLS, or null for plain HTTP
   * @param authorizer determines which requests can read the pages
   */
  public HttpEndpoint(
      String name,
      BindAddress address,
      @Nullable ServerCertificate certificate,
      RequestAuthorizer authorizer,
      Scheduler scheduler,
      ThreadFactory threads) {
    this.name = name;
    this.address = address;
    this.certificate = certificate;
    this.scheduler = scheduler;
    this.threads = threads;
    this.handler = new PageHandler(pages, authorizer);
  }

  /**
   * Serves a page at a path, such as {@code /metrics}, and at all paths below it that do not have
   * their own page.
   */
  public void page(String path, Page page) {
    pages.put(path, page);
  }

  /**
   * Starts listening.
   *
   * @throws IOException if the endpoint cannot listen, for example because the port is in use; the
   *     message states the cause
   */
  public synchronized void start() throws IOException {
    if (running != null) {
      throw new IllegalStateException("the " + name + " endpoint is already running");
    }
    if (certificate != null) {
      certificate.load();
    }
    // All steps that can fail precede the binding of the port, because the JDK's server can release
    // the port only after it has been started.
    CompletableFuture<HttpServer> bound = new CompletableFuture<>();
    Thread starter = threads.newThread(() -> bound.join().start());
    Loop certificates =
        certificate == null
            ? null
            : new Loop(name + "-certificate", certificate, scheduler, threads);
    RequestThreads requests = new RequestThreads(name, LIMITS, scheduler, threads);
    HttpServer server = bind();
    server.setExecutor(requests);
    server.createContext("/", handler);
    bound.complete(server);
    startAsDaemon(starter);
    if (certificates != null) {
      certificates.start();
    }
    running = new Running(server, requests, certificates);
    port = server.getAddress().getPort();
    log.debug("The {} endpoint listens on {}", name, address.withPort(port));
  }

  private HttpServer bind() throws IOException {
    InetSocketAddress socket = address.socket();
    if (socket.isUnresolved()) {
      throw new IOException(
          "the " + name + " endpoint can't listen on " + address + ": there is no such host");
    }
    try {
      if (certificate == null) {
        return HttpServer.create(socket, LIMITS.waiting());
      }
      HttpsServer server = HttpsServer.create(socket, LIMITS.waiting());
      server.setHttpsConfigurator(certificate.configurator());
      return server;
    } catch (BindException e) {
      throw new IOException(
          "the "
              + name
              + " endpoint can't listen on "
              + address
              + ": "
              + e.getMessage()
              + ". Another process may use the port; choose another one, or '0' for none",
          e);
    }
  }

  /**
   * Starts the JDK's server from a daemon thread. The server's own thread inherits the daemon
   * status and therefore does not keep the process alive.
   */
  private void startAsDaemon(Thread starter) {
    starter.setName(name + "-http-start");
    starter.setDaemon(true);
    starter.start();
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the port on which the endpoint is listening, or empty if it is not listening. */
  public OptionalInt port() {
    return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /**
   * Returns the configured address. While the endpoint is listening, the result contains the actual
   * port.
   */
  public BindAddress address() {
    return port < 0 ? address : address.withPort(port);
  }

  public boolean isSecure() {
    return certificate != null;
  }

  /** Returns the TLS certificate, or empty if pages are served over plain HTTP. */
  public Optional<ServerCertificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** Returns the loops that health checks monitor while the endpoint is listening. */
  public List<Loop> loops() {
    Running current = current();
    return current == null || current.certificates() == null
        ? List.of()
        : List.of(current.certificates());
  }

  private synchronized @Nullable Running current() {
    return running;
  }

  /**
   * Returns the number of requests whose connections were closed before the requests were read, or
   * empty if the endpoint is not running.
   */
  Optional<Integer> refused() {
    Running current = current();
    return current == null ? Optional.empty() : Optional.of(current.requests().refused());
  }

  /**
   * Stops the endpoint. Requests in progress can finish within the limit. This method is
   * idempotent.
   *
   * @return whether all requests in progress have finished
   * @throws InterruptedException if the calling thread is interrupted while it waits; the endpoint
   *     is stopped nonetheless
   */
  public boolean stop(Duration limit) throws InterruptedException {
    Running ending;
    synchronized (this) {
      ending = running;
      running = null;
      port = -1;
    }
    if (ending == null) {
      return true;
    }
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    CompletableFuture<Void> unused = ending.requests().idle().thenRun(() -> over.complete(true));
    Scheduler.Alarm alarm = scheduler.schedule(() -> over.complete(false), limit);
    try {
      return over.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("this future never fails", e);
    } finally {
      alarm.cancel();
      ending.requests().close();
      ending.server().stop(0);
      Loop certificates = ending.certificates();
      if (certificates != null) {
        certificates.stop();
      }
    }
  }

  @Override
  public String toString() {
    return "the " + name + " endpoint";
  }
}
