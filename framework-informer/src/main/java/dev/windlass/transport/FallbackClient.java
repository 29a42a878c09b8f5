// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provides a client that uses another transport. The {@link SocketClient} sends requests through
 * this client if this package does not support them. This class creates the client on first use,
 * with the settings of the {@link SocketClient}, but without its interceptors: the {@link
 * SocketClient} has already called them. This class is thread-safe.
 */
final class FallbackClient implements AutoCloseable {

  private final SocketClientBuilder settings;
  private final Supplier<HttpClient.Factory> transports;

  @GuardedBy("this")
  private @Nullable StandardHttpClient<?, ?, ?> client;

  @GuardedBy("this")
  private boolean closed;

  FallbackClient(SocketClientBuilder settings) {
    this(settings, HttpClientUtils::getHttpClientFactory);
  }

  FallbackClient(SocketClientBuilder settings, Supplier<HttpClient.Factory> transports) {
    this.settings = settings;
    this.transports = transports;
  }

  /**
   * Returns the client. Creates it on the first call.
   *
   * @param purpose the feature that needs the client, for the exception message
   * @throws IllegalStateException if there is no other transport on the class path, if the proxy
   *     expects TLS, or if this object is closed
   */
  synchronized StandardHttpClient<?, ?, ?> get(String purpose) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    if (client == null) {
      client = create(purpose);
    }
    return client;
  }

  private StandardHttpClient<?, ?, ?> create(String purpose) {
    if (settings.secureProxy) {
      throw new IllegalStateException(
          purpose + " can't use a proxy that expects TLS; use a proxy with http");
    }
    HttpClient.Factory factory;
    try {
      factory = transports.get();
    } catch (KubernetesClientException e) {
      throw missing(purpose, e);
    }
    HttpClient.Builder builder = factory.newBuilder();
    if (settings.getConnectTimeout() != null) {
      builder.connectTimeout(settings.getConnectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }
    if (settings.getSslContext() != null) {
      builder.sslContext(settings.getKeyManagers(), settings.getTrustManagers());
    }
    if (settings.getTlsVersions() != null) {
      builder.tlsVersions(settings.getTlsVersions());
    }
    if (settings.getTlsServerName() != null) {
      builder.tlsServerName(settings.getTlsServerName());
    }
    if (settings.getProxyAddress() != null) {
      builder.proxyAddress(settings.getProxyAddress());
      builder.proxyAuthorization(settings.getProxyAuthorization());
    }
    builder.proxyType(settings.getProxyType());
    builder.preferHttp11();
    HttpClient made = builder.build();
    if (made instanceof StandardHttpClient<?, ?, ?> standard) {
      return standard;
    }
    made.close();
    throw missing(purpose, null);
  }

  private static IllegalStateException missing(String purpose, @Nullable Throwable cause) {
    return new IllegalStateException(
        purpose
            + " needs one of fabric8's HTTP transports; add a dependency on"
            + " io.fabric8:kubernetes-httpclient-vertx",
        cause);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
    }
  }
}
