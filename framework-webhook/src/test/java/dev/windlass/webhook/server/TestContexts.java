// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.testing.apiserver.real.access.Credentials;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts of servers and clients in tests. */
final class TestContexts {

  private TestContexts() {}

  /** A context that presents a certificate, and trusts a CA. */
  static SSLContext of(Credentials own, Credentials authority) throws Exception {
    return of(own, trust(authority));
  }

  /** A context that presents a certificate, and asks for that of its peer. */
  static SSLContext of(Credentials own, TrustManager... trust) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry("own", own.key(), new char[0], new X509Certificate[] {own.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust, null);
    return context;
  }

  /** A context without a certificate, which trusts a CA. */
  static SSLContext trusting(Credentials authority) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust(authority), null);
    return context;
  }

  private static TrustManager[] trust(Credentials authority)
      throws GeneralSecurityException, java.io.IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("ca", authority.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
