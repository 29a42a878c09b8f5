// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The files that cert-manager would write into a directory. */
final class MountedFiles {

  private static final Clock NOW = Clock.systemUTC();

  /** A time at which certificates were issued that have expired since. */
  private static final Clock LONG_AGO = Clock.offset(NOW, Duration.ofDays(-8));

  private final Path directory;

  MountedFiles(Path directory) {
    this.directory = directory;
  }

  /** Writes a certificate for an address, which is valid for some days. */
  void write(String address) throws IOException {
    write(address, CertificateAuthority.create(NOW));
  }

  /** Writes a certificate for an address that has expired. */
  void writeExpired(String address) throws IOException {
    write(address, CertificateAuthority.create(LONG_AGO));
  }

  private void write(String address, CertificateAuthority authority) throws IOException {
    Credentials server = authority.server("webhooks", List.of(address));
    Files.writeString(directory.resolve("ca.crt"), authority.self().certificatePem());
    Files.writeString(directory.resolve("tls.crt"), server.certificatePem());
    Files.writeString(directory.resolve("tls.key"), server.keyPem());
  }

  /** Writes another CA than the one that has signed the certificate. */
  void writeAnotherAuthority() throws IOException {
    Files.writeString(
        directory.resolve("ca.crt"), CertificateAuthority.create(NOW).self().certificatePem());
  }
}
