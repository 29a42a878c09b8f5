// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.tls.ServerKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a server's TLS certificate and key every 10 s, in most cases from two PEM files. If the
 * files have changed and match each other, new connections use the new certificate. If the files do
 * not match, for example because only one of them has been replaced so far, the old certificate
 * remains in use. No restart is required when the kubelet updates a mounted Secret. This class is
 * thread-safe.
 */
public final class ServerCertificate implements LoopStep {

  /** The interval at which the files are read: 10 s, as in controller-runtime. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(ServerCertificate.class);

  /** How long a self-signed certificate is valid: 1 year, as in controller-runtime. */
  private static final Duration VALIDITY = Duration.ofDays(365);

  private final Source source;
  private final String name;
  private final ServerKeys keys = new ServerKeys();

  /**
   * The content that was last read, whether or not it was usable. Only one thread at a time may use
   * this field.
   */
  private CertificateIssuer.@Nullable Issued tried;

  private @Nullable String problem;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /**
   * Creates an instance, but does not read the files. Call {@link #load} before any other method.
   */
  public ServerCertificate(Path chainFile, Path keyFile) {
    this(
        () ->
            new CertificateIssuer.Issued(
                Files.readString(chainFile, StandardCharsets.ISO_8859_1),
                Files.readString(keyFile, StandardCharsets.ISO_8859_1)),
        chainFile + " with the key " + keyFile);
  }

  private ServerCertificate(Source source, String name) {
    this.source = source;
    this.name = name;
  }

  /** Returns a self-signed certificate that is replaced after half of its validity. */
  public static ServerCertificate selfSigned(CertificateIssuer issuer, Clock clock) {
    return new ServerCertificate(
        new Source() {
          private CertificateIssuer.@Nullable Issued current;
          private Instant due = Instant.MIN;

          @Override
          public CertificateIssuer.Issued read() {
            CertificateIssuer.Issued issued = current;
            if (issued == null || !clock.instant().isBefore(due)) {
              issued = issuer.issue(clock.instant(), VALIDITY);
              due = clock.instant().plus(VALIDITY.dividedBy(2));
              current = issued;
            }
            return issued;
          }
        },
        "that this program has signed");
  }

  /** Returns the current certificate. Only one thread at a time may call it. */
  private interface Source {
    CertificateIssuer.Issued read() throws IOException;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws IOException if the files cannot be used; the message states the cause
   */
  public void load() throws IOException {
    reads.incrementAndGet();
    try {
      CertificateIssuer.Issued content = source.read();
      use(content);
      tried = content;
    } catch (GeneralSecurityException e) {
      failures.incrementAndGet();
      throw new IOException(unusable(e), e);
    } catch (IOException e) {
      failures.incrementAndGet();
      throw e;
    }
  }

  /** Returns the keys for the server. They always contain the last usable content of the files. */
  public ServerKeys keys() {
    return keys;
  }

  public long reads() {
    return reads.get();
  }

  /** Returns the number of reads that have failed or have not returned a usable certificate. */
  public long failures() {
    return failures.get();
  }

  private String unusable(Exception e) {
    return "the certificate " + name + " can't be used: " + e;
  }

  private void use(CertificateIssuer.Issued content) throws GeneralSecurityException, IOException {
    keys.replace(content.chain(), content.key());
  }

  @Override
  public StepDelay run() {
    reads.incrementAndGet();
    try {
      CertificateIssuer.Issued content = source.read();
      if (!content.equals(tried)) {
        tried = content;
        use(content);
        log.info("The certificate {} has changed; new connections use it", name);
      }
      problem = null;
    } catch (IOException | GeneralSecurityException e) {
      failures.incrementAndGet();
      if (!e.toString().equals(problem)) {
        log.warn("Keeping the previous certificate: {}", unusable(e));
      }
      problem = e.toString();
    }
    return StepDelay.of(PERIOD);
  }

  /**
   * Returns a configurator that enables TLS 1.2 and 1.3. Each connection uses the certificate that
   * is current when the connection is opened.
   */
  public HttpsConfigurator configurator() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys.keyManager()}, null, null);
      return new HttpsConfigurator(context) {
        @Override
        public void configure(HttpsParameters parameters) {
          SSLParameters chosen = getSSLContext().getDefaultSSLParameters();
          chosen.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
          parameters.setSSLParameters(chosen);
        }
      };
    } catch (GeneralSecurityException e) {
      throw new IOException("there is no TLS in this JVM", e);
    }
  }

  @Override
  public String toString() {
    return "the certificate " + name;
  }
}
