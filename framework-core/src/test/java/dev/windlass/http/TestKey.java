// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that vouches for itself, made by the JDK's keytool.
 *
 * @param certificate PEM
 * @param pkcs8 the key, PEM
 * @param traditional the key in the form that its algorithm had before PKCS#8, PEM
 */
public record TestKey(String name, String certificate, String pkcs8, String traditional) {

  private static final String PASSWORD = "changeit";

  public static TestKey rsa(String name, Path folder) throws Exception {
    return make(name, folder, "RSA", List.of("-keyalg", "RSA", "-keysize", "2048"));
  }

  public static TestKey ec(String name, Path folder) throws Exception {
    return make(name, folder, "EC", List.of("-keyalg", "EC", "-groupname", "secp256r1"));
  }

  private static TestKey make(String name, Path folder, String algorithm, List<String> how)
      throws Exception {
    Path store = folder.resolve(name + ".p12");
    List<String> command =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-dname",
                "CN=" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    command.addAll(how);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey("key", PASSWORD.toCharArray());
    byte[] inner = inner(key.getEncoded());
    return new TestKey(
        name,
        pem("CERTIFICATE", keys.getCertificate("key").getEncoded()),
        pem("PRIVATE KEY", key.getEncoded()),
        pem(algorithm + " PRIVATE KEY", algorithm.equals("EC") ? withCurve(inner) : inner));
  }

  /** The last value of the sequence {version, algorithm, key}. */
  private static byte[] inner(byte[] der) {
    int at = begin(der, 0);
    for (int i = 0; i < 2; i++) {
      at = begin(der, at) + length(der, at);
    }
    return Arrays.copyOfRange(der, begin(der, at), begin(der, at) + length(der, at));
  }

  /** Java leaves the curve out inside of PKCS#8, and openssl's form needs it: P-256. */
  private static byte[] withCurve(byte[] key) {
    byte[] curve = {(byte) 0xa0, 10, 6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 3, 1, 7};
    int begin = begin(key, 0);
    byte[] whole = Arrays.copyOf(key, key.length + curve.length);
    int version = begin + 3;
    int afterKey = begin(key, version) + length(key, version);
    System.arraycopy(key, afterKey, whole, afterKey + curve.length, key.length - afterKey);
    System.arraycopy(curve, 0, whole, afterKey, curve.length);
    whole[1] = (byte) (whole[1] + curve.length); // short enough for one byte
    return whole;
  }

  private static int begin(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int length(byte[] der, int at) {
    int length = 0;
    int begin = begin(der, at);
    if (begin == at + 2) {
      return der[at + 1];
    }
    for (int i = at + 2; i < begin; i++) {
      length = (length << 8) | (der[i] & 0xff);
    }
    return length;
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
