// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scheme, host and port of a server.
 *
 * @param secure whether the connection uses TLS
 * @param host the host name, or an IP address without brackets
 * @param port the port
 */
record Origin(boolean secure, String host, int port) {

  /**
   * Returns the server to which a URI refers.
   *
   * @throws IllegalArgumentException if the URI has no host, or if its scheme is not HTTP or HTTPS
   */
  static Origin of(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    boolean secure = scheme.equals("https");
    if (host == null || (!secure && !scheme.equals("http"))) {
      throw new IllegalArgumentException(
          "'" + uri + "' is not the address of a server, such as 'https://10.0.0.1:6443/api'");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    return new Origin(
        secure, host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
  }

  /**
   * Returns the value of the Host header: the host, followed by the port unless it is the default
   * port of the scheme.
   */
  String authority() {
    return port == (secure ? 443 : 80) ? bracketed() : hostAndPort();
  }

  String hostAndPort() {
    return bracketed() + ":" + port;
  }

  private String bracketed() {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /**
   * Compares all components. The record does not use the generated method, because the JVM takes
   * several milliseconds to link its first call.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Origin that
        && port == that.port
        && secure == that.secure
        && host.equals(that.host);
  }

  @Override
  public int hashCode() {
    return host.hashCode() * 31 + port;
  }

  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + authority();
  }
}
