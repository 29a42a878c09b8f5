// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.DurationText;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Connects to servers, directly or through an HTTP proxy, and performs the TLS handshakes. The
 * connect timeout applies to each of these steps separately. If a host has several addresses, they
 * share it. This class is thread-safe.
 */
final class Dialer {

  /** Looks up addresses as the JDK does. */
  static final Addresses.Resolver DNS = InetAddress::getAllByName;

  private final @Nullable SSLContext tls;
  private final String[] tlsVersions;
  private final @Nullable String tlsServerName;

  /** The server name (SNI) for the handshake; empty to use the JDK's default. */
  private final List<SNIServerName> serverNames;

  private final Addresses addresses;
  private final Duration timeout;
  private final @Nullable InetSocketAddress proxy;
  private final @Nullable String proxyAuthorization;
  private final boolean secureProxy;
  private final TrustManager @Nullable [] trust;

  Dialer(SocketClientBuilder settings, Addresses addresses) {
    this.addresses = addresses;
    this.tls = settings.getSslContext();
    TlsVersion[] versions = settings.getTlsVersions();
    this.tlsVersions = new String[versions == null ? 0 : versions.length];
    for (int i = 0; i < tlsVersions.length; i++) {
      tlsVersions[i] = versions[i].javaName();
    }
    String name = settings.getTlsServerName();
    this.tlsServerName = name == null || name.isBlank() ? null : name;
    this.serverNames =
        tlsServerName == null || isAddress(tlsServerName)
            ? List.of()
            : List.of(serverName(tlsServerName));
    Duration limit = settings.getConnectTimeout();
    this.timeout = limit == null ? Duration.ZERO : limit;
    this.proxy =
        settings.getProxyType() == HttpClient.ProxyType.DIRECT ? null : settings.getProxyAddress();
    this.proxyAuthorization = settings.getProxyAuthorization();
    this.secureProxy = settings.secureProxy;
    this.trust = settings.getTrustManagers();
    if (proxyAuthorization != null) {
      RequestMessage.requireOneLine("header Proxy-Authorization", proxyAuthorization);
    }
  }

  private static SNIHostName serverName(String name) {
    try {
      return new SNIHostName(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the TLS server name '" + OneLine.of(name, 100) + "' is not a host name", e);
    }
  }

  /**
   * Returns whether a name is an IP address. TLS does not permit IP addresses as server names
   * (SNI).
   */
  private static boolean isAddress(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '.' && (c < '0' || c > '9')) {
        return name.indexOf(':') >= 0;
      }
    }
    return true;
  }

  /**
   * Returns whether a proxy forwards the requests to the server. For a secure connection, the proxy
   * opens a tunnel instead.
   */
  boolean forwardsRequests(Origin origin) {
    return proxy != null && !origin.secure();
  }

  /**
   * Returns the credentials for the proxy that forwards requests to the server. Returns null if
   * there is no such proxy, or if it requires no credentials.
   */
  @Nullable String authorizationFor(Origin origin) {
    return forwardsRequests(origin) ? proxyAuthorization : null;
  }

  /**
   * Connects to a server.
   *
   * @param connection the connection that owns the sockets. It is informed of each socket before
   *     the socket connects, and can close the socket to abort the attempt
   * @throws IOException if no connection can be established; the message states the address
   */
  Wire dial(Origin origin, Connection connection) throws IOException {
    String host = proxy == null ? origin.host() : proxy.getHostString();
    int port = proxy == null ? origin.port() : proxy.getPort();
    IOException failure = null;
    List<InetAddress> all = addresses.of(host);
    int left = all.size();
    for (InetAddress address : all) {
      // Behind a secure proxy, a received record is not a record of the server.
      RecordSocket records =
          origin.secure() && (proxy == null || !secureProxy) ? new RecordSocket() : null;
      Socket socket = records == null ? new Socket() : records;
      connection.opened(socket);
      try {
        connect(socket, new InetSocketAddress(address, port), Addresses.share(timeout, left--));
      } catch (IOException e) {
        socket.close();
        addresses.failed(host, address, all);
        if (failure == null) {
          failure = e; // the first address is the preferred one
        }
        continue;
      }
      return new Wire(secure(origin, socket), records);
    }
    throw failure == null ? new ConnectException(host + " has no address") : failure;
  }

  private static void connect(Socket socket, InetSocketAddress address, Duration limit)
      throws IOException {
    socket.setTcpNoDelay(true);
    KeepAlive.enable(socket);
    try {
      socket.connect(address, millis(limit));
    } catch (SocketTimeoutException e) {
      throw new SocketTimeoutException(
          "no connection to " + address + " within " + DurationText.of(limit));
    } catch (ConnectException e) {
      throw new ConnectException(e.getMessage() + ": " + address); // the message lacks the address
    } catch (SocketException e) {
      throw new SocketException(e.getMessage() + ": " + address);
    }
  }

  /** Returns a time limit in milliseconds, or zero for no limit. */
  private static int millis(Duration limit) {
    return limit.isZero() ? 0 : (int) Math.max(1, Math.min(Integer.MAX_VALUE, limit.toMillis()));
  }

  private Socket secure(Origin origin, Socket opened) throws IOException {
    if (!origin.secure() && (proxy == null || !secureProxy)) {
      return opened;
    }
    Socket socket = opened;
    socket.setSoTimeout(millis(timeout));
    String step = "no TLS handshake with the proxy " + proxy + " for ";
    try {
      if (proxy != null && secureProxy) {
        socket = handshake(proxyTls(), socket, proxy.getHostString(), proxy.getPort(), List.of());
      }
      if (!origin.secure()) {
        socket.setSoTimeout(0);
        return socket;
      }
      step = "no answer of the proxy " + proxy + " for ";
      if (proxy != null) {
        openTunnel(origin, socket);
      }
      step = "no TLS handshake with ";
      if (tls == null) {
        throw new IOException("the client has no TLS configuration for " + origin);
      }
      String name = tlsServerName == null ? origin.host() : tlsServerName;
      return handshake(tls, socket, name, origin.port(), serverNames);
    } catch (SocketTimeoutException e) {
      throw new SocketTimeoutException(step + origin + " within " + DurationText.of(timeout));
    }
  }

  private void openTunnel(Origin origin, Socket socket) throws IOException {
    String target = origin.hostAndPort();
    StringBuilder request = new StringBuilder();
    request.append("CONNECT ").append(target).append(" HTTP/1.1\r\nHost: ").append(target);
    if (proxyAuthorization != null) {
      request.append("\r\nProxy-Authorization: ").append(proxyAuthorization);
    }
    request.append("\r\n\r\n");
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
    ResponseHead head = ResponseHead.read(new Wire(socket));
    if (head.code() / 100 != 2) {
      throw new IOException(
          "the proxy "
              + proxy
              + " refused the connection to "
              + target
              + ": "
              + head.code()
              + " "
              + OneLine.of(head.reason(), 100));
    }
  }

  private SSLSocket handshake(
      SSLContext context, Socket socket, String name, int port, List<SNIServerName> serverNames)
      throws IOException {
    SSLSocket secured =
        (SSLSocket) context.getSocketFactory().createSocket(socket, name, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (tlsVersions.length > 0) {
      parameters.setProtocols(tlsVersions);
    }
    CipherOrder.apply(parameters);
    if (!serverNames.isEmpty()) {
      parameters.setServerNames(serverNames);
    }
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /**
   * Returns the TLS configuration for the proxy. It trusts the certificates that the JVM trusts,
   * and those of the cluster's CA, which are the only ones that kubectl trusts. It is not kept,
   * because the CA can change.
   */
  private SSLContext proxyTls() throws IOException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      List<TrustManager> managers = new ArrayList<>(List.of(factory.getTrustManagers()));
      managers.addAll(trust == null ? List.of() : Arrays.asList(trust));
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (TrustManager manager : managers) {
        if (manager instanceof X509TrustManager certificates) {
          for (X509Certificate issuer : certificates.getAcceptedIssuers()) {
            trusted.setCertificateEntry("issuer-" + trusted.size(), issuer);
          }
        }
      }
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("no trusted certificates for the proxy " + proxy, e);
    }
  }
}
