// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.tls.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The files that cert-manager would write into a directory. */
public final class MountedFiles {

  private final CertificateAuthority authority =
      CertificateAuthority.create(Instant.now().minus(Duration.ofDays(30)), Duration.ofDays(60));

  private final Path directory;

  public MountedFiles(Path directory) {
    this.directory = directory;
  }

  /** Writes a certificate for an address that expires after a time, which can be negative. */
  public void write(String address, Duration expiry) throws IOException {
    Instant now = Instant.now();
    SignedKey leaf =
        authority.issue(
            List.of(address), now.minus(Duration.ofDays(1)), expiry.plus(Duration.ofDays(1)));
    writeAuthority(authority.self().certificate());
    Files.writeString(directory.resolve("tls.crt"), Pem.of(List.of(leaf.certificate())));
    Files.writeString(directory.resolve("tls.key"), Pem.of(leaf.key()));
  }

  /** Writes another CA than the one that has signed the certificate. */
  public void writeAnotherAuthority() throws IOException {
    writeAuthority(
        CertificateAuthority.create(Instant.now(), Duration.ofDays(1)).self().certificate());
  }

  private void writeAuthority(X509Certificate certificate) throws IOException {
    Files.writeString(directory.resolve("ca.crt"), Pem.of(List.of(certificate)));
  }
}
