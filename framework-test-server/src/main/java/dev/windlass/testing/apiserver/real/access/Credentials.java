// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;

/** A certificate and its private key on P-256. */
public record Credentials(X509Certificate certificate, ECPrivateKey key) {

  public String certificatePem() {
    return pem(certificate);
  }

  public String keyPem() {
    return keyPem(key);
  }

  /**
   * Returns a key in SEC 1 format, {@code BEGIN EC PRIVATE KEY}. fabric8 derives the algorithm of a
   * key in a kubeconfig from this line, and assumes RSA for a PKCS #8 key. The encoding includes
   * the curve inside the key, because Go does not read the curve from the place where Java stores
   * it.
   */
  public static String keyPem(ECPrivateKey key) {
    var sec1 =
        new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), X9ObjectIdentifiers.prime256v1);
    try {
      return pem(new PemObject("EC PRIVATE KEY", sec1.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String pem(Object item) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(item);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return "Credentials[" + certificate.getSubjectX500Principal() + "]";
  }
}
