// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** A certificate that vouches for itself, and its key; made by the JDK's keytool. */
record Identity(X509Certificate certificate, PrivateKey key) {

  private static final String PASSWORD = "password";

  static Identity of(String name, Path folder) throws Exception {
    Path store = folder.resolve(name + ".p12");
    int code =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-alias",
                name,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("keytool ended with " + code);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(store)) {
      keys.load(bytes, PASSWORD.toCharArray());
    }
    return new Identity(
        (X509Certificate) keys.getCertificate(name),
        (PrivateKey) keys.getKey(name, PASSWORD.toCharArray()));
  }

  X509Certificate[] chain() {
    return new X509Certificate[] {certificate};
  }

  String certificatePem() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  private static String pem(String kind, byte[] content) {
    byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, newline).encodeToString(content)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}
