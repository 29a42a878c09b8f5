// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.httpserver.ServerCertificate;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.Loop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the server's certificate and key from a directory that another program maintains. If the
 * files do not exist at startup, this class waits until the other program, such as cert-manager,
 * has created them. This class is thread-safe.
 */
final class CertificateFiles implements ManagedComponent {

  private static final Logger log = LoggerFactory.getLogger(CertificateFiles.class);

  private final Path directory;
  private final ServerCertificate certificate;
  private final InformerOptions options;

  @GuardedBy("this")
  private @Nullable Loop loop;

  CertificateFiles(Path directory, InformerOptions options) {
    this.directory = directory;
    this.certificate =
        new ServerCertificate(directory.resolve("tls.crt"), directory.resolve("tls.key"));
    this.options = options;
  }

  ServerCertificate certificate() {
    return certificate;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public synchronized void start() {
    try {
      certificate.load();
    } catch (IOException e) {
      log.warn("Waiting for a certificate in {}: {}", directory, e.getMessage());
    }
    loop = new Loop("webhook-certificate", certificate, options.scheduler(), options.threads());
    loop.start();
  }

  @Override
  public synchronized boolean stop(Duration limit) {
    if (loop != null) {
      loop.stop();
    }
    return true;
  }

  @Override
  public String toString() {
    return "the certificate of the webhooks";
  }
}
