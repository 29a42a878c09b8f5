// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.lang.reflect.Proxy;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The trusted CAs and the client's identity, created by fabric8 from the files that a configuration
 * names.
 *
 * @param generation the number of this content, counted from 0
 * @param trust decides which servers to trust
 * @param keys the client's identity; null without a certificate
 */
record TlsMaterial(
    int generation, X509ExtendedTrustManager trust, @Nullable X509ExtendedKeyManager keys) {

  /**
   * Reads the files.
   *
   * @throws RuntimeException if one can't be read, or if certificate and key do not belong together
   */
  static TlsMaterial of(Config config, HttpClient.Factory transport, int generation) {
    List<Object> made = new ArrayList<>();
    // fabric8 passes what it has read to the builder of a client, and exposes it nowhere else.
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
    return new TlsMaterial(
        generation, Objects.requireNonNull(trust, "fabric8 made no trust manager"), keys);
  }

  /**
   * Returns the algorithm of a PEM key, because fabric8 assumes RSA for each key that does not name
   * one.
   */
  static String algorithm(String pem) {
    if (pem.contains("BEGIN EC PRIVATE KEY")) {
      return "EC";
    }
    if (!pem.contains("BEGIN PRIVATE KEY")) {
      return "RSA";
    }
    String body = pem.replaceAll("-----[A-Z ]+-----", "");
    try {
      KeyFactory.getInstance("RSA")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
      return "RSA";
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return "EC";
    }
  }

  private static <T> @Nullable T first(List<Object> all, Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }

  /**
   * Rejects a certificate that does not match its key, for example because only the certificate's
   * file has been replaced so far.
   */
  private static void requirePairs(X509ExtendedKeyManager keys) {
    for (String type : List.of("RSA", "EC")) {
      String[] aliases = keys.getClientAliases(type, null);
      for (String alias : aliases == null ? new String[0] : aliases) {
        PrivateKey key = keys.getPrivateKey(alias);
        X509Certificate[] chain = keys.getCertificateChain(alias);
        if (key == null || chain == null || !isPair(key, chain[0])) {
          throw new IllegalArgumentException("the key does not belong to the certificate");
        }
      }
    }
  }

  private static boolean isPair(PrivateKey key, X509Certificate certificate) {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    byte[] text = {1, 2, 3};
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(text);
      byte[] signed = signer.sign();
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certificate.getPublicKey());
      verifier.update(text);
      return verifier.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
