// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** A self-signed certificate and its key. */
public record TestKey(String name, X509Certificate x509, PrivateKey key) {

  private static final Map<String, TestKey> RSA = new HashMap<>();
  private static final Duration VALIDITY = Duration.ofDays(90);

  /**
   * The same whenever it is asked for, and as short as TLS permits, since primes take long to find.
   */
  public static synchronized TestKey rsa(String name) throws Exception {
    TestKey known = RSA.get(name);
    if (known == null) {
      known = newRsa(name);
      RSA.put(name, known);
    }
    return known;
  }

  private static TestKey newRsa(String name) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    return signed(name, generator.generateKeyPair(), "SHA256withRSA");
  }

  public static TestKey ec(String name) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return signed(name, generator.generateKeyPair(), "SHA256withECDSA");
  }

  private static TestKey signed(String name, KeyPair pair, String algorithm) throws Exception {
    X500Principal subject = new X500Principal("CN=" + name);
    Instant now = Instant.now();
    JcaX509v3CertificateBuilder certificate =
        new JcaX509v3CertificateBuilder(
            subject,
            BigInteger.valueOf(now.toEpochMilli()),
            Date.from(now.minusSeconds(60)),
            Date.from(now.plus(VALIDITY)),
            subject,
            pair.getPublic());
    return new TestKey(
        name,
        new JcaX509CertificateConverter()
            .getCertificate(
                certificate.build(new JcaContentSignerBuilder(algorithm).build(pair.getPrivate()))),
        pair.getPrivate());
  }

  /** The certificate, PEM. */
  public String certificate() {
    return pem(x509);
  }

  /** The key, PEM. */
  public String pkcs8() {
    try {
      return pem(new JcaPKCS8Generator(key, null));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The key in the form that its algorithm had before PKCS#8, PEM. */
  public String traditional() {
    return key instanceof ECPrivateKey ec
        ? pem(new PemObject("EC PRIVATE KEY", withCurve(ec)))
        : pem(key);
  }

  /** As openssl writes it. Java keeps the curve beside the key, in PKCS#8. */
  private static byte[] withCurve(ECPrivateKey key) {
    try {
      return new org.bouncycastle.asn1.sec.ECPrivateKey(
              256, key.getS(), SECObjectIdentifiers.secp256r1)
          .getEncoded();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }
}
