// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes certificates and keys as PEM data, in the formats that cert-manager and openssl
 * use. Exception messages never quote the content.
 */
public final class Pem {

  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private static final String MISMATCH = "the key does not match the certificate";

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  // DER tags, and the identifiers of the two algorithms that have their own key formats.
  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int PARAMETERS = 0xa0;
  private static final byte[] RSA = bytes(0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1);
  private static final byte[] EC = bytes(0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1);
  private static final byte[] NULL = bytes(0x05, 0);
  private static final byte[] VERSION = bytes(INTEGER, 1, 0);

  private Pem() {}

  /** Returns all certificates in PEM data. The data must contain at least one certificate. */
  public static List<X509Certificate> certificates(String pem) throws CertificateException {
    List<X509Certificate> chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (chain.isEmpty()) {
      throw new CertificateException("the file holds no certificate");
    }
    return chain;
  }

  /** Returns the given certificates as PEM data, in the same order. */
  public static String of(List<X509Certificate> certificates) {
    StringBuilder pem = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        pem.append(block("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw new IllegalArgumentException("the certificate can't be encoded", e);
      }
    }
    return pem.toString();
  }

  /** Returns a private key as unencrypted PEM data in PKCS#8 format. */
  public static String of(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  private static String block(String type, byte[] content) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + LINES.encodeToString(content)
        + "\n-----END "
        + type
        + "-----\n";
  }

  /**
   * Returns the private key in PEM data. The key must be in PKCS#8 format, or in the older format
   * for RSA (PKCS#1) or EC (SEC 1) keys.
   */
  public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher found = KEY.matcher(pem);
    if (!found.find()) {
      throw new InvalidKeyException("the file holds no unencrypted private key");
    }
    byte[] der;
    try {
      byte[] body = Base64.getMimeDecoder().decode(found.group(2));
      der =
          switch (found.group(1)) {
            case "RSA PRIVATE KEY" -> wrapped(concat(RSA, NULL), body);
            case "EC PRIVATE KEY" -> wrapped(concat(EC, curve(body)), body);
            default -> body;
          };
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidKeyException("the private key is damaged", e);
    }
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (InvalidKeySpecException e) {
        // Try the next algorithm, because the key does not belong to this one.
      }
    }
    throw new InvalidKeyException(
        "the private key is damaged, or its algorithm is none of " + ALGORITHMS);
  }

  /**
   * Checks that a private key belongs to a certificate. Signs a string with the key, and verifies
   * the signature with the certificate.
   */
  public static void requireMatch(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm())) {
      throw new InvalidKeyException(MISMATCH);
    }
    String algorithm =
        switch (key.getAlgorithm().toUpperCase(Locale.ROOT)) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    byte[] text = "windlass".getBytes(StandardCharsets.US_ASCII);
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(text);
    byte[] signature = signing.sign();
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(certificate.getPublicKey());
    verifying.update(text);
    if (!verifying.verify(signature)) {
      throw new InvalidKeyException(MISMATCH);
    }
  }

  /**
   * Returns the curve of an EC key in SEC 1 format. The curve is the element with the tag [0] in
   * the sequence {@code {1, key, [0] curve, [1] public key}}.
   */
  private static byte[] curve(byte[] key) {
    int at = header(key, 0);
    while (at < key.length) {
      int begin = header(key, at);
      int end = begin + length(key, at);
      if ((key[at] & 0xff) == PARAMETERS) {
        return Arrays.copyOfRange(key, begin, end);
      }
      at = end;
    }
    throw new IllegalArgumentException("the key names no curve");
  }

  /**
   * Returns the position of the first byte of an element's value.
   *
   * @param at the position of the element
   */
  private static int header(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < first - 0x80; i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return value(SEQUENCE, concat(concat(VERSION, value(SEQUENCE, algorithm)), value(OCTETS, key)));
  }

  private static byte[] value(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
