// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;

/**
 * An HTTP/1.1 transport for fabric8's client, based on blocking sockets. The manager uses it unless
 * {@code ManagerBuilder.transport(...)} sets another one. This transport loads far fewer classes
 * than fabric8's transports, so a program starts sooner and uses less memory.
 *
 * <p>Each connection has a daemon thread and serves one request at a time. The transport closes a
 * connection that has been idle for 30 s. If the server has closed an idle connection, the
 * transport sends a GET request again through a new connection. It does not send a write again,
 * because the server may have performed it. It does not follow redirects, and it does not use
 * HTTP/2.
 *
 * <p>The transport supports HTTP proxies, client certificates and the TLS server name of a
 * kubeconfig. It uses TLS to a proxy whose address begins with {@code https}. WebSockets and SOCKS
 * proxies need one of fabric8's transports. This transport loads the one on the class path, by
 * default Vert.x, when it is first needed. fabric8 uses WebSockets for {@code exec}, {@code
 * attach}, {@code portForward}, and for its own {@code watch} and {@code inform}. Windlass's
 * informers do not use WebSockets. This class is thread-safe.
 */
public final class SocketTransport implements HttpClient.Factory {

  private final Scheduler scheduler;
  private final Addresses.Resolver resolver;

  public SocketTransport() {
    this(Scheduler.system());
  }

  /**
   * Creates a transport that uses the given scheduler for its time-outs. The transport never runs
   * callers' code on the scheduler's thread.
   */
  public SocketTransport(Scheduler scheduler) {
    this(scheduler, Dialer.DNS);
  }

  SocketTransport(Scheduler scheduler, Addresses.Resolver resolver) {
    this.scheduler = scheduler;
    this.resolver = resolver;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Addresses.Resolver resolver() {
    return resolver;
  }

  @Override
  public HttpClient.Builder newBuilder(Config config) {
    SocketClientBuilder builder = new SocketClientBuilder(this);
    builder.secureProxy = ProxySettings.isSecure(config);
    HttpClientUtils.applyCommonConfiguration(config, builder, this);
    return builder;
  }

  @Override
  public HttpClient.Builder newBuilder() {
    return new SocketClientBuilder(this);
  }
}
