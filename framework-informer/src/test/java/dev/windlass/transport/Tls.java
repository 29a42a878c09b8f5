// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.testsupport.TestKey;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Keys of a server named localhost and of its clients, who trust each other. */
final class Tls {

  static final TestKey KEY = key();
  static final SSLContext CONTEXT = SSLUtils.sslContext(keys(), trusted());
  static final ServerSocketFactory SERVER = CONTEXT.getServerSocketFactory();

  private Tls() {}

  private static TestKey key() {
    try {
      return TestKey.ec("localhost");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a client trust the server. */
  static void trust(HttpClient.Builder client) {
    client.sslContext(null, trusted());
  }

  /** Gives a client a certificate. */
  static void identify(HttpClient.Builder client) {
    client.sslContext(keys(), trusted());
  }

  private static KeyManager[] keys() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("a", KEY.key(), new char[0], new X509Certificate[] {KEY.x509()});
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(store, new char[0]);
      return factory.getKeyManagers();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManager[] trusted() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("a", KEY.x509());
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return factory.getTrustManagers();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
