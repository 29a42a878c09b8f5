// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.WindowRateControl;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTPS server for webhooks, based on Jetty. It supports HTTP/2 and HTTP/1.1 over TLS 1.3 and
 * TLS 1.2. It accepts only POST requests with a JSON body to the paths of webhooks.
 *
 * <p>The headers of a request are limited to 16 KiB. A body is limited to 7 MiB and must arrive
 * within 10 s. All bodies in memory together are limited to 1/64 of the heap. The number of
 * connections is limited to 1,000, and the number of concurrent requests on an HTTP/2 connection to
 * 128.
 *
 * <p>A stopped server can be started again. This class is thread-safe.
 */
public final class WebhookServer {

  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);

  /**
   * The time for exchanges whose responses have not announced that their connections will end, when
   * the server begins to stop: 100 ms. Jetty would close these connections unannounced.
   */
  private static final Duration LAST_EXCHANGES = Duration.ofMillis(100);

  /**
   * The maximum number of connections: 1,000. An API server opens a few dozen. When the limit is
   * reached, the server closes idle connections after 1 s, and accepts new ones only after that.
   */
  private static final int CONNECTIONS = 1_000;

  private static final Duration IDLE_AT_LIMIT = Duration.ofSeconds(1);

  private static final int HEADERS = 16 * 1024;
  private static final int STREAMS = 128;
  private static final int FRAMES_PER_SECOND = 1_000;
  private static final int JETTY_THREADS = 16;
  private static final int BACKLOG = 1_024;
  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  /**
   * The time after which the server closes an idle connection: 2 min. An API server closes its idle
   * connections earlier, after 90 s.
   */
  private static final Duration IDLE = Duration.ofMinutes(2);

  private final BindAddress address;
  private final SSLContext tls;
  private final Optional<ClientAuthorities> clients;
  private final List<WebhookPath> paths;
  private final MeterRegistry registry;
  private final Scheduler scheduler;
  private final ThreadFactory threads;

  /** The parts of a running server. */
  private record Running(
      Server jetty,
      ServerConnector connector,
      RequestReceiver receiver,
      List<Endpoint> endpoints) {}

  @GuardedBy("this")
  private @Nullable Running running;

  private long heap = Runtime.getRuntime().maxMemory();
  private int mostConnections = CONNECTIONS;
  private volatile int port = -1;
  private volatile Consumer<X509Certificate> onHandshake = certificate -> {};

  /**
   * Creates a server without starting it.
   *
   * @param tls the TLS context with the server's certificate; if {@code clients} is present, this
   *     context also verifies the client certificates
   * @param clients the client CAs that the TLS context trusts; empty if clients do not need a
   *     certificate
   * @param threads the factory for the threads that run the handlers
   */
  public WebhookServer(
      BindAddress address,
      SSLContext tls,
      Optional<ClientAuthorities> clients,
      List<WebhookPath> paths,
      MeterRegistry registry,
      Scheduler scheduler,
      ThreadFactory threads) {
    this.address = address;
    this.tls = tls;
    this.clients = clients;
    this.paths = List.copyOf(paths);
    this.registry = registry;
    this.scheduler = scheduler;
    this.threads = threads;
  }

  /**
   * Sets a consumer that is called after each TLS handshake, with the server certificate that was
   * used. Call this method before the server starts.
   */
  public void onHandshake(Consumer<X509Certificate> accepted) {
    onHandshake = accepted;
  }

  /**
   * Starts the server.
   *
   * @throws IOException if the server cannot listen on the address; the message states the cause
   */
  public synchronized void start() throws IOException {
    if (running != null) {
      throw new IllegalStateException("the webhook server is already running");
    }
    Map<String, Endpoint> endpoints = new HashMap<>();
    paths.forEach(
        path -> endpoints.put(path.path(), new Endpoint(path, threads, scheduler, registry)));
    RequestReceiver receiver = new RequestReceiver(endpoints, scheduler, heap);
    QueuedThreadPool pool = new QueuedThreadPool(JETTY_THREADS, 2);
    pool.setName("webhook-server");
    pool.setDaemon(true);
    Server jetty = new Server(pool);
    jetty.setHandler(receiver);
    jetty.setErrorHandler(WebhookServer::withoutPage);
    ServerConnector connector = connector(jetty);
    connector.addBean(
        new SslHandshakeListener() {
          @Override
          public void handshakeSucceeded(Event event) throws SSLException {
            checkHandshake(event.getSSLEngine().getSession());
          }
        });
    jetty.addConnector(connector);
    NetworkConnectionLimit connections = new NetworkConnectionLimit(mostConnections, connector);
    connections.setEndPointIdleTimeout(IDLE_AT_LIMIT.toMillis());
    jetty.addBean(connections);
    running = new Running(jetty, connector, receiver, List.copyOf(endpoints.values()));
    try {
      jetty.start();
    } catch (Exception e) { // Jetty declares no narrower exception
      end(running);
      running = null;
      throw failed(e);
    }
    port = connector.getLocalPort();
    log.info("The webhook server listens on {}", address.withPort(port));
  }

  /** Checks the client after a handshake, and reports the server certificate that was used. */
  private void checkHandshake(SSLSession session) throws SSLException {
    if (clients.isPresent()) {
      clients.get().requireTrusted(session);
    }
    Certificate[] own = session.getLocalCertificates();
    if (own != null && own.length > 0 && own[0] instanceof X509Certificate certificate) {
      onHandshake.accept(certificate);
    }
  }

  /**
   * Responds to an invalid HTTP request with a status and an empty body. Jetty's error page is not
   * used, because it quotes the request.
   */
  private static boolean withoutPage(Request request, Response response, Callback callback) {
    response.write(true, BufferUtil.EMPTY_BUFFER, callback);
    return true;
  }

  private IOException failed(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof BindException)) {
      cause = cause.getCause();
    }
    return new IOException(
        "the webhook server can't listen on "
            + address
            + ": "
            + cause.getMessage()
            + ". Another process may use the port; choose another one",
        e);
  }

  private ServerConnector connector(Server jetty) {
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setSslContext(tls);
    ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    ssl.setNeedClientAuth(clients.isPresent());
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADERS);
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    // Only the client checks the names in the certificate, because it may call an IP address.
    http.addCustomizer(new SecureRequestCustomizer(false));
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
    http2.setMaxConcurrentStreams(STREAMS);
    http2.setRateControlFactory(new WindowRateControl.Factory(FRAMES_PER_SECOND));
    ALPNServerConnectionFactory negotiation = new ALPNServerConnectionFactory("h2", "http/1.1");
    negotiation.setDefaultProtocol("http/1.1");
    ServerConnector connector =
        new ServerConnector(
            jetty,
            1,
            1,
            new SslConnectionFactory(ssl, negotiation.getProtocol()),
            negotiation,
            http2,
            new HttpConnectionFactory(http));
    if (!address.host().isEmpty()) {
      connector.setHost(address.host());
    }
    connector.setPort(address.port());
    connector.setIdleTimeout(IDLE.toMillis());
    // Jetty would end HTTP/2 connections 1 s after the stop began, together with their requests.
    connector.setShutdownIdleTimeout(LONGEST_CALL.toMillis());
    connector.setAcceptQueueSize(BACKLOG);
    return connector;
  }

  /** Returns the port on which the server is listening, or empty if it is not listening. */
  public OptionalInt port() {
    return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** Sets the size of the heap in bytes, for tests. Call this method before the server starts. */
  void heap(long bytes) {
    heap = bytes;
  }

  /**
   * Sets the maximum number of connections, for tests. Call this method before the server starts.
   */
  void mostConnections(int most) {
    mostConnections = most;
  }

  /** Returns the total size in bytes of all request bodies in memory. */
  long held() {
    Running current = current();
    return current == null ? 0 : current.receiver().held();
  }

  /** Returns the number of requests that have not been answered. */
  public int inFlight() {
    Running current = current();
    return current == null ? 0 : current.receiver().inFlight();
  }

  private synchronized @Nullable Running current() {
    return running;
  }

  /**
   * Closes each HTTP/1.1 connection after its next response, so that clients connect to another
   * replica. The server continues to respond. Call this method when the program begins to stop.
   */
  public void drain() {
    Running current = current();
    if (current != null) {
      current.receiver().drain();
    }
  }

  /**
   * Stops the server. After 100 ms, the server accepts no new connections, and makes HTTP/2 clients
   * send further requests to another replica. This method waits until all requests have been
   * answered, and then closes all connections. It has no effect if the server is not running.
   *
   * <p>If the server closes an HTTP/1.1 connection while the API server sends a request on it, the
   * API server does not retry the request. This method therefore closes connections only after a
   * period without requests.
   *
   * @param limit the maximum time to wait
   * @param quiet the required period without requests
   * @return whether all requests were answered within the limit
   * @throws InterruptedException if the calling thread is interrupted while it waits; the server is
   *     stopped even in this case
   */
  public boolean stop(Duration limit, Duration quiet) throws InterruptedException {
    Running ending;
    synchronized (this) {
      ending = running;
      running = null;
      port = -1;
    }
    if (ending == null) {
      return true;
    }
    ending.receiver().drain();
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Scheduler.Alarm alarm = scheduler.schedule(() -> over.complete(false), limit);
    Scheduler.Alarm closing =
        scheduler.schedule(
            () -> {
              var unused = Graceful.shutdown(ending.connector()); // idle connections can outlast it
            },
            LAST_EXCHANGES);
    try {
      ending.receiver().whenQuiet(quiet, () -> over.complete(true));
      return over.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("this future never fails", e);
    } finally {
      alarm.cancel();
      closing.cancel();
      end(ending);
    }
  }

  private static void end(Running ending) {
    boolean interrupted = Thread.interrupted(); // otherwise, Jetty would leave threads running
    try {
      ending.jetty().stop();
    } catch (Exception e) { // Jetty declares no narrower exception
      log.warn("The webhook server did not stop cleanly: {}", e.toString());
    }
    ending.endpoints().forEach(Endpoint::close);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "the webhook server";
  }
}
