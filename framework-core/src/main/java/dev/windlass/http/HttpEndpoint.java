// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
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
 * A server of a few small pages, on the JDK's HTTP server and on threads of its own.
 *
 * <ul>
 *   <li>GET and HEAD only; no request bodies; at most 16 KiB of headers and 4 KiB of address.
 *   <li>A request arrives in full within 5 s, and is answered within 15 s, both counted from its
 *       first byte. Four pages are made at a time; 128 requests have a thread, 1,024 more wait for
 *       one, and any beyond are closed unread. While requests wait for a thread, those that have
 *       not arrived in full after 50 ms are closed, the oldest first: clients that send a byte and
 *       no more can't shut others out.
 *   <li>Connections on which nothing happens are closed after 30 s (the JDK's default). How many
 *       there may be altogether, the JDK's server limits for the whole process only: system
 *       property {@code jdk.httpserver.maxConnections}.
 * </ul>
 *
 * <p>It may be started again after it was stopped. All methods may be called from any thread.
 */
public final class HttpEndpoint {

  /** How many pages are made at a time. */
  static final int PAGES = 4;

  /**
   * Threads for requests, each with about 60 KB of stack in use. Slow clients give way after 50 ms,
   * which makes 2,560 of them a second; a request has 5 s to arrive, as a slow TLS handshake may
   * take some round trips; and 15 s in all, above the 10 s that a review of its token may take.
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

  /** What there is while it runs. */
  private record Running(HttpServer server, RequestThreads requests, @Nullable Loop certificates) {}

  @GuardedBy("this")
  private @Nullable Running running;

  private volatile int port = -1;

  /**
   * A server that has not been started.
   *
   * @param name of its threads, and in logs
   * @param certificate for TLS; null for none
   * @param gatekeeper of all pages
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

  /** Shows a page at a path, such as {@code /metrics}, and at all below it that have none. */
  public void page(String path, Page page) {
    pages.put(path, page);
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it can't, because the port is taken for instance, saying so
   */
  public synchronized void start() throws IOException {
    if (running != null) {
      throw new IllegalStateException("the " + name + " endpoint is running already");
    }
    if (certificate != null) {
      certificate.load();
    }
    // All that can fail comes before the port is taken: the JDK's server frees it only once it
    // runs.
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

  /** The JDK's own thread inherits that it keeps no process alive. */
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

  /** On which port it listens; empty while it does not. */
  public OptionalInt port() {
    return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** Where it listens, as in its settings but with the port that it really has. */
  public BindAddress address() {
    return port < 0 ? address : address.withPort(port);
  }

  /** Whether its pages are encrypted. */
  public boolean isSecure() {
    return certificate != null;
  }

  /** The certificate of its pages; empty if they are not encrypted. */
  public Optional<ServerCertificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** The loops that must be running while it listens. */
  public List<Loop> loops() {
    Running current = current();
    return current == null || current.certificates() == null
        ? List.of()
        : List.of(current.certificates());
  }

  /**
   * Whether connections are taken in: one is opened to find out, which takes 2 s at most. True
   * while it does not run.
   */
  public boolean takesConnections() {
    Running current = current();
    return current == null
        || SelfCall.arrives(current.server().getAddress(), current.requests()::handed);
  }

  private synchronized @Nullable Running current() {
    return running;
  }

  /** How many requests were turned away, because too many others were under way. */
  Optional<Integer> refused() {
    Running current = current();
    return current == null ? Optional.empty() : Optional.of(current.requests().refused());
  }

  /**
   * Ends. Requests that are under way may finish within the limit. Repeatable.
   *
   * @return whether all of them have
   * @throws InterruptedException if the caller was interrupted while it waited; it has ended then
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
      throw new IllegalStateException("nobody fails it", e);
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
