// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
import dev.windlass.tls.ServerCertificate;
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
 * Serves a few small pages with the JDK's HTTP server, on its own threads.
 *
 * <ul>
 *   <li>Only GET and HEAD are accepted, without request bodies, and with at most 16 KiB of headers
 *       and 4 KiB of address.
 *   <li>A request must arrive in full within 5 s and be answered within 15 s, both counted from its
 *       first byte. At most four pages are produced at a time. 128 requests have a thread, 1,024
 *       more wait for one, and any further requests are closed unread. While requests wait for a
 *       thread, those that have not arrived in full after 50 ms are closed, oldest first, so
 *       clients that send one byte and then stop can't lock others out.
 *   <li>Idle connections are closed after 30 s (the JDK's default). The JDK's server limits the
 *       total number of connections only for the whole process: system property {@code
 *       jdk.httpserver.maxConnections}.
 * </ul>
 *
 * <p>An endpoint can be started again after it has been stopped. All methods may be called from any
 * thread.
 */
public final class HttpEndpoint {

  /** How many pages are produced at a time. */
  static final int PAGES = 4;

  /**
   * The limits for request threads, each of which uses about 60 KB of stack. Slow clients give way
   * after 50 ms, so 2,560 of them can be closed per second. A request has 5 s to arrive, because a
   * slow TLS handshake can take several round trips, and 15 s in total, above the 10 s that a
   * review of its token may take.
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

  /** The parts of a running endpoint. */
  private record Running(HttpServer server, RequestThreads requests, @Nullable Loop certificates) {}

  @GuardedBy("this")
  private @Nullable Running running;

  private volatile int port = -1;

  /**
   * Creates an endpoint without starting it.
   *
   * @param name used in thread names and logs
   * @param certificate for TLS; null for plain HTTP
   * @param gatekeeper guards all pages
   */
  public HttpEndpoint(
      String name,
      BindAddress address,
      @Nullable ServerCertificate certificate,
      Gatekeeper gatekeeper,
      Scheduler scheduler,
      ThreadFactory threads) {
    this.name = name;
    this.address = address;
    this.certificate = certificate;
    this.scheduler = scheduler;
    this.threads = threads;
    this.handler = new PageHandler(pages, gatekeeper);
  }

  /**
   * Serves a page at a path, such as {@code /metrics}, and at all paths below it that have no page.
   */
  public void page(String path, Page page) {
    pages.put(path, page);
  }

  /**
   * Starts listening.
   *
   * @throws IOException if the endpoint can't listen, for example because the port is in use; the
   *     message states the cause
   */
  public synchronized void start() throws IOException {
    if (running != null) {
      throw new IllegalStateException("the " + name + " endpoint is already running");
    }
    if (certificate != null) {
      certificate.load();
    }
    // Everything that can fail comes before the port is bound: the JDK's server can release the
    // port only after it has been started.
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
   * status, so it does not keep the process alive.
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

  /** Returns the port that the endpoint listens on; empty while it does not listen. */
  public OptionalInt port() {
    return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** Returns the configured address; while the endpoint listens, with the actual port. */
  public BindAddress address() {
    return port < 0 ? address : address.withPort(port);
  }

  /** Reports whether pages are served over TLS. */
  public boolean isSecure() {
    return certificate != null;
  }

  /** Returns the TLS certificate; empty if pages are served over plain HTTP. */
  public Optional<ServerCertificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** Returns the loops that must be running while the endpoint listens. */
  public List<Loop> loops() {
    Running current = current();
    return current == null || current.certificates() == null
        ? List.of()
        : List.of(current.certificates());
  }

  /**
   * Reports whether the server accepts connections, by opening one, which takes 2 s at most.
   * Returns true while the endpoint does not run.
   */
  public boolean takesConnections() {
    Running current = current();
    return current == null
        || SelfProbe.arrives(current.server().getAddress(), current.requests()::handed);
  }

  private synchronized @Nullable Running current() {
    return running;
  }

  /** Returns the number of requests rejected because too many others were in progress. */
  Optional<Integer> refused() {
    Running current = current();
    return current == null ? Optional.empty() : Optional.of(current.requests().refused());
  }

  /**
   * Stops the endpoint. Requests in progress may finish within the limit. Idempotent.
   *
   * @return whether all requests in progress have finished
   * @throws InterruptedException if the caller was interrupted while it waited; the endpoint is
   *     stopped nonetheless
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
