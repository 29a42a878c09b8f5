// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Caches one TLS context for each CA bundle. This class is thread-safe. */
final class TrustedCertificates {
  private final Map<String, SSLContext> contexts = new ConcurrentHashMap<>();

  /**
   * Returns the TLS context that trusts a CA bundle.
   *
   * @param caBundle the certificates in PEM format, encoded in Base64; if empty, the context trusts
   *     the JDK's default CAs
   * @throws WebhookCallException if the bundle contains no certificate
   */
  SSLContext context(String caBundle) throws WebhookCallException {
    SSLContext known = contexts.get(caBundle);
    if (known != null) {
      return known;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      if (caBundle.isBlank()) {
        context.init(null, null, null);
      } else {
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keyStore(Base64.getMimeDecoder().decode(caBundle)));
        context.init(null, trust.getTrustManagers(), null);
      }
      contexts.put(caBundle, context);
      return context;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new WebhookCallException(
          "unable to load root certificates: unable to parse bytes as PEM block", e);
    }
  }

  private static KeyStore keyStore(byte[] pem) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int index = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem))) {
      store.setCertificateEntry("ca-" + index++, certificate);
    }
    if (index == 0) {
      throw new GeneralSecurityException("the bundle is empty");
    }
    return store;
  }
}
