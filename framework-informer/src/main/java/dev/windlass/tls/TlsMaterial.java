// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.lang.reflect.Proxy;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A trust manager and a key manager for the TLS files as they were at one point in time. For a
 * client, fabric8 creates both from its configuration.
 *
 * @param generation the number of this material; the first number is 0
 * @param trust the trust manager that decides whether a server is trusted; null for a server,
 *     because it does not verify clients
 * @param keys the key manager for the certificate to present; null if there is no certificate
 */
record TlsMaterial(
    int generation,
    @Nullable X509ExtendedTrustManager trust,
    @Nullable X509ExtendedKeyManager keys) {

  /**
   * Reads the files and creates the material of a client.
   *
   * @throws RuntimeException if a file cannot be read
   * @throws GeneralSecurityException if the certificate and the key do not match
   */
  static TlsMaterial of(Config config, HttpClient.Factory transport, int generation)
      throws GeneralSecurityException {
    List<Object> made = new ArrayList<>();
    // fabric8 passes the content of the files to the builder of a client, and exposes it nowhere
    // else.
    HttpClient.Builder builder =
        (HttpClient.Builder)
            Proxy.newProxyInstance(
                HttpClient.Builder.class.getClassLoader(),
                new Class<?>[] {HttpClient.Builder.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("sslContext")) {
                    for (Object argument : arguments) {
                      if (argument instanceof Object[] managers) {
                        made.addAll(List.of(managers));
                      }
                    }
                  }
                  return proxy;
                });
    HttpClientUtils.applyCommonConfiguration(config, builder, transport);
    X509ExtendedTrustManager trust = first(made, X509ExtendedTrustManager.class);
    X509ExtendedKeyManager keys = first(made, X509ExtendedKeyManager.class);
    if (keys != null) {
      requirePairs(keys);
    }
    return new TlsMaterial(generation, trust, keys);
  }

  /** Returns the trust manager. This method must be called only for the material of a client. */
  X509ExtendedTrustManager requireTrust() {
    return Objects.requireNonNull(trust, "there is no trust manager");
  }

  /**
   * Creates the material of a server.
   *
   * @throws GeneralSecurityException if the certificate or the key is invalid, or if they do not
   *     match
   */
  static TlsMaterial ofServer(String chainPem, String keyPem, int generation)
      throws GeneralSecurityException {
    List<X509Certificate> chain = Pem.certificates(chainPem);
    PrivateKey key = Pem.privateKey(keyPem);
    Pem.requireMatch(chain.get(0), key);
    return new TlsMaterial(generation, null, new FixedKeys(chain, key));
  }

  private static <T> @Nullable T first(List<Object> all, Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }

  /**
   * Checks that each certificate matches its key. They do not match if, for example, only the
   * certificate file has been replaced so far.
   */
  private static void requirePairs(X509ExtendedKeyManager keys) throws GeneralSecurityException {
    for (String type : List.of("RSA", "EC")) {
      String[] aliases = keys.getClientAliases(type, null);
      for (String alias : aliases == null ? new String[0] : aliases) {
        PrivateKey key = keys.getPrivateKey(alias);
        X509Certificate[] chain = keys.getCertificateChain(alias);
        if (key == null || chain == null) {
          throw new InvalidKeyException("the key store has no key or no certificate for " + alias);
        }
        Pem.requireMatch(chain[0], key);
      }
    }
  }
}
