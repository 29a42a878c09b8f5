// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * One user's access to the server, as a configuration for fabric8's client, a kubeconfig file or a
 * TLS context.
 *
 * @param url the server's address, such as {@code https://127.0.0.1:20443}
 * @param authority the CA certificate to trust
 * @param user the user's certificate and key
 */
public record UserAccess(String url, X509Certificate authority, Credentials user) {

  /** Returns the same user's access to the server at another address. */
  public UserAccess at(String otherUrl) {
    return new UserAccess(otherUrl, authority, user);
  }

  /**
   * Returns a configuration for fabric8's client. The configuration ignores the kubeconfig file,
   * the environment variables and the proxy settings of this machine.
   */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(url)
        .withCaCertData(base64(Credentials.pem(authority)))
        .withClientCertData(base64(user.certificatePem()))
        .withClientKeyData(base64(user.keyPem()))
        .withClientKeyAlgo("EC")
        .withNamespace("default")
        .build();
  }

  /** Returns the content of a kubeconfig file, for kubectl and other programs. */
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: windlass-test
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: windlass-test
          user:
            client-certificate-data: %s
            client-key-data: %s
        contexts:
        - name: windlass-test
          context:
            cluster: windlass-test
            user: windlass-test
        current-context: windlass-test
        """
        .formatted(
            url,
            base64(Credentials.pem(authority)),
            base64(user.certificatePem()),
            base64(user.keyPem()));
  }

  /** Returns a TLS context that authenticates the JDK's HTTP client as this user. */
  public SSLContext sslContext() {
    char[] noPassword = {};
    try {
      KeyStore trusted = emptyKeyStore();
      trusted.setCertificateEntry("authority", authority);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);

      KeyStore own = emptyKeyStore();
      own.setKeyEntry(
          "user", user.key(), noPassword, new X509Certificate[] {user.certificate(), authority});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, noPassword);

      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot set up TLS with the generated certificates", e);
    }
  }

  private static KeyStore emptyKeyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
