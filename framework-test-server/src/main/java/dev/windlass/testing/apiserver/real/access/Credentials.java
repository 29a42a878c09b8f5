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

/** A certificate and its private key, an EC key on the curve P-256. */
public record Credentials(X509Certificate certificate, ECPrivateKey key) {

  public String certificatePem() {
    return pem(certificate);
  }

  public String keyPem() {
    return keyPem(key);
  }

  /**
   * Returns a key as PEM in SEC 1 format, which begins with {@code BEGIN EC PRIVATE KEY}. From this
   * line, fabric8 determines that a key in a kubeconfig is an EC key; it treats a PKCS #8 key as an
   * RSA key. The encoded key specifies the curve, as Go requires. The JDK's encoding specifies the
   * curve only outside the key.
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
