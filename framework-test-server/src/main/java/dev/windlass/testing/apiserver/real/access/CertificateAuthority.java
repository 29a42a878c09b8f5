// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;
import org.jspecify.annotations.Nullable;

/**
 * Issues the certificates for one test server and its users.
 *
 * <p>The keys are EC keys on the curve P-256, which are generated much faster than RSA keys. A
 * certificate expires after one week. The start of its validity is backdated by one hour, to
 * tolerate differences between clocks. This class is thread-safe.
 */
public final class CertificateAuthority {

  private static final Duration BACKDATED = Duration.ofHours(1);
  private static final Duration LIFETIME = Duration.ofDays(7);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Clock clock;
  private final Credentials self;

  private CertificateAuthority(Clock clock, Credentials self) {
    this.clock = clock;
    this.self = self;
  }

  /** Creates a certificate authority with a new key. */
  public static CertificateAuthority create(Clock clock) {
    KeyPair keys = newKeys();
    X500Name name = name("windlass-test-ca", List.of());
    X509v3CertificateBuilder unsigned = unsigned(clock, name, name, keys);
    try {
      unsigned.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      unsigned.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
    } catch (CertIOException e) {
      throw new IllegalStateException("cannot encode the authority's certificate", e);
    }
    return new CertificateAuthority(clock, sign(unsigned, keys.getPrivate(), keys));
  }

  /**
   * Returns the key and the self-signed certificate of this certificate authority. Clients must
   * trust this certificate.
   */
  public Credentials self() {
    return self;
  }

  /** Issues a server certificate for the addresses 127.0.0.1 and localhost. */
  public Credentials server(String commonName) {
    return server(commonName, List.of());
  }

  /**
   * Issues a server certificate for the addresses 127.0.0.1 and localhost, and for the given host
   * names and IP addresses.
   */
  public Credentials server(String commonName, List<String> hosts) {
    List<GeneralName> all = new ArrayList<>();
    all.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    all.add(new GeneralName(GeneralName.dNSName, "localhost"));
    for (String host : hosts) {
      boolean isAddress = IPAddress.isValid(host);
      all.add(new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    GeneralNames names = new GeneralNames(all.toArray(GeneralName[]::new));
    return issue(name(commonName, List.of()), KeyPurposeId.id_kp_serverAuth, names);
  }

  /**
   * Issues a client certificate for a user.
   *
   * @param user the user's name in RBAC, which becomes the certificate's common name
   * @param groups the user's groups in RBAC, which become the certificate's organizations
   */
  public Credentials client(String user, List<String> groups) {
    return issue(name(user, groups), KeyPurposeId.id_kp_clientAuth, null);
  }

  private Credentials issue(
      X500Name subject, KeyPurposeId purpose, @Nullable GeneralNames alternativeNames) {
    KeyPair keys = newKeys();
    X500Name issuer =
        X500Name.getInstance(self.certificate().getSubjectX500Principal().getEncoded());
    X509v3CertificateBuilder unsigned = unsigned(clock, issuer, subject, keys);
    try {
      unsigned.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      unsigned.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      if (alternativeNames != null) {
        unsigned.addExtension(Extension.subjectAlternativeName, false, alternativeNames);
      }
    } catch (CertIOException e) {
      throw new IllegalStateException("cannot encode the certificate of " + subject, e);
    }
    return sign(unsigned, self.key(), keys);
  }

  /** Generates a key pair on P-256. */
  public static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot make EC keys on P-256", e);
    }
  }

  private static X500Name name(String commonName, List<String> organizations) {
    X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
    organizations.forEach(organization -> name.addRDN(BCStyle.O, organization));
    return name.addRDN(BCStyle.CN, commonName).build();
  }

  private static X509v3CertificateBuilder unsigned(
      Clock clock, X500Name issuer, X500Name subject, KeyPair keys) {
    Instant now = clock.instant();
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(120, RANDOM).add(BigInteger.ONE),
        Date.from(now.minus(BACKDATED)),
        Date.from(now.plus(LIFETIME)),
        subject,
        keys.getPublic());
  }

  private static Credentials sign(
      X509v3CertificateBuilder unsigned, PrivateKey signer, KeyPair subject) {
    try {
      return new Credentials(
          new JcaX509CertificateConverter()
              .getCertificate(
                  unsigned.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer))),
          (ECPrivateKey) subject.getPrivate());
    } catch (OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }
}
