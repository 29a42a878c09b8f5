// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import dev.windlass.testing.apiserver.real.access.UserAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The certificates of one embedded server that uses HTTPS: its CA, its own certificate, and the
 * administrator's client certificate.
 */
final class ApiServerTls {

  private final CertificateAuthority authority;
  private final Credentials administrator;

  /**
   * Creates new certificates.
   *
   * @param clock the time by which clients check the certificates, even if the server's is virtual
   */
  ApiServerTls(Clock clock) {
    this.authority = CertificateAuthority.create(clock);
    this.administrator = authority.client("kubernetes-admin", List.of("system:masters"));
  }

  /** Creates an HTTPS server, which requests a client certificate but does not require one. */
  HttpServer createServer(InetSocketAddress address, int backlog) throws IOException {
    SSLContext context =
        new UserAccess("", authority.self().certificate(), authority.server("embedded"))
            .sslContext();
    HttpsServer server = HttpsServer.create(address, backlog);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters tls = context.getDefaultSSLParameters();
            tls.setWantClientAuth(true);
            parameters.setSSLParameters(tls);
          }
        });
    return server;
  }

  /** Returns the administrator's access to the server at the given address. */
  UserAccess administrator(String url) {
    return new UserAccess(url, authority.self().certificate(), administrator);
  }
}
