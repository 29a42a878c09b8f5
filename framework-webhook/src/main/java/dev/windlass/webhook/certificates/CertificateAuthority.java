// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority (CA). All keys are EC keys on the curve P-256. Every Go or Java program
 * supports such keys, and their generation takes less than a millisecond.
 *
 * <p>The name of each CA is unique, so that a verifier can distinguish several CAs.
 *
 * @param self the CA's certificate and key
 */
record CertificateAuthority(SignedKey self) {

  private static final int SERIAL_BYTES = 16;

  private static final X500Principal SERVER = new X500Principal("CN=Windlass server");

  /** Creates a CA with a self-signed certificate. */
  static CertificateAuthority create(Instant now, Duration validity) {
    KeyPair keys = keys();
    BigInteger serial = serial(keys.getPublic(), keys.getPublic());
    X500Principal name = new X500Principal("CN=Windlass webhook CA " + serial.toString(16));
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name, serial, begin(now), end(now, validity), name, keys.getPublic());
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              extensions.createSubjectKeyIdentifier(keys.getPublic()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              extensions.createAuthorityKeyIdentifier(keys.getPublic()));
      return new CertificateAuthority(
          new SignedKey(sign(builder, keys.getPrivate()), keys.getPrivate()));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException("this JVM can't create certificates", e);
    }
  }

  /**
   * Generates a key for a server and issues a certificate for this key.
   *
   * @param subjects the DNS names and IP addresses of the server
   */
  SignedKey issue(List<String> subjects, Instant now, Duration validity) {
    KeyPair keys = keys();
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            self.certificate().getSubjectX500Principal(),
            serial(self.certificate().getPublicKey(), keys.getPublic()),
            begin(now),
            end(now, validity),
            SERVER,
            keys.getPublic());
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(
              Extension.extendedKeyUsage,
              false,
              new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
          .addExtension(Extension.subjectAlternativeName, false, SubjectNames.encode(subjects))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              extensions.createSubjectKeyIdentifier(keys.getPublic()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              extensions.createAuthorityKeyIdentifier(self.certificate().getPublicKey()));
      return new SignedKey(sign(builder, self.key()), keys.getPrivate());
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException("this JVM can't create certificates", e);
    }
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws OperatorCreationException, GeneralSecurityException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM can't create EC keys", e);
    }
  }

  /**
   * Returns a serial number that is derived from the keys of the issuer and the subject. It is as
   * random as the keys, and differs for each pair of keys.
   */
  private static BigInteger serial(PublicKey issuer, PublicKey subject) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(issuer.getEncoded());
      digest.update(subject.getEncoded());
      return new BigInteger(1, Arrays.copyOf(digest.digest(), SERIAL_BYTES)).setBit(0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }

  private static Date begin(Instant now) {
    return Date.from(now.minus(CertificateValidity.BACKDATED).truncatedTo(ChronoUnit.SECONDS));
  }

  private static Date end(Instant now, Duration validity) {
    return Date.from(now.plus(validity).truncatedTo(ChronoUnit.SECONDS));
  }

  /** Returns the name and the expiry time of the CA. */
  @Override
  public String toString() {
    return self.toString();
  }
}
