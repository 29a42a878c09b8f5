// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials.ClientCertificate;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files from which a client reads the CA certificates and its own certificate and key. The
 * files can be replaced while the program runs. For example, the kubelet replaces the files of a
 * ServiceAccount. fabric8 itself would read them only once. If the certificate comes from {@link
 * RenewedCredentials}, this class treats it like a certificate in a file.
 *
 * <p>Before a handshake, this class reads the files again if it has not read them in the last 10 s.
 * It also reads them again before it rejects a server. It compares the contents of the files, so it
 * detects a change regardless of how a file is replaced. If a file is missing or incomplete, this
 * class continues to use the previous content, and logs one warning. A change does not affect
 * existing connections. It invalidates TLS sessions, because the JDK would otherwise resume a
 * session without requesting the server's certificate again. This class is thread-safe. It holds
 * its lock while it reads the files and queries the {@link RenewedCredentials}.
 */
public final class TlsFiles {

  /**
   * The minimum time between two reads of the files, unless a server's certificate is not trusted:
   * 10 s, as in controller-runtime's certwatcher.
   */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /**
   * The maximum age of a TLS session: 10 min. When a session has reached this age, it cannot be
   * resumed, and the server must present its certificate again.
   */
  static final Duration SESSION = Duration.ofMinutes(10);

  private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);

  /**
   * A TLS session with a trusted server.
   *
   * @param session the session
   * @param generation the generation of the {@link TlsMaterial} that trusted the server
   * @param at the time at which the session began, in nanoseconds on the scheduler's clock
   */
  private record Trusted(SSLSession session, int generation, long at) {}

  private final Config config;
  private final HttpClient.Factory transport;
  private final Scheduler scheduler;
  private final List<Path> files;

  @GuardedBy("this")
  private List<ByteBuffer> contents;

  @GuardedBy("this")
  private long readAt;

  @GuardedBy("this")
  private String problem = "";

  @GuardedBy("this")
  private final List<Trusted> sessions = new ArrayList<>();

  private final TlsMaterialHistory generations;

  private TlsFiles(
      Config config, HttpClient.Factory transport, Scheduler scheduler, List<Path> files)
      throws IOException, GeneralSecurityException {
    this.config = config;
    this.transport = transport;
    this.scheduler = scheduler;
    this.files = files;
    Optional<ClientCertificate> certificate = certificate(config);
    this.contents = read(files, certificate);
    this.readAt = scheduler.nanoTime();
    this.generations =
        new TlsMaterialHistory(TlsMaterial.of(with(certificate, config), transport, 0));
  }

  /**
   * Returns the files that the given configuration names. The CA file is not included if the
   * configuration trusts every server. Returns empty if there are no files and the configuration
   * does not have a certificate from {@link RenewedCredentials}.
   *
   * @throws IllegalArgumentException if the files cannot be used; the message names them
   */
  public static Optional<TlsFiles> of(
      Config config, HttpClient.Factory transport, Scheduler scheduler) {
    List<Path> files = new ArrayList<>();
    if (!config.isTrustCerts() && isBlank(config.getCaCertData())) {
      add(files, config.getCaCertFile());
    }
    if (isBlank(config.getClientCertData())) {
      add(files, config.getClientCertFile());
    }
    if (isBlank(config.getClientKeyData())) {
      add(files, config.getClientKeyFile());
    }
    if (files.isEmpty() && certificate(config).isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new TlsFiles(config, transport, scheduler, List.copyOf(files)));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the certificates in " + files + " can't be used: " + e, e);
    }
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isBlank();
  }

  private static void add(List<Path> files, @Nullable String name) {
    if (name != null && !name.isBlank()) {
      files.add(Path.of(name));
    }
  }

  private static List<ByteBuffer> read(List<Path> files, Optional<ClientCertificate> certificate)
      throws IOException {
    List<ByteBuffer> contents = new ArrayList<>();
    for (Path file : files) {
      contents.add(ByteBuffer.wrap(Files.readAllBytes(file)));
    }
    certificate.ifPresent(
        pair -> {
          contents.add(StandardCharsets.UTF_8.encode(pair.certificate()));
          contents.add(StandardCharsets.UTF_8.encode(pair.key()));
        });
    return contents;
  }

  private static Optional<ClientCertificate> certificate(Config config) {
    return config.getOauthTokenProvider() instanceof RenewedCredentials renewed
        ? renewed.certificate()
        : Optional.empty();
  }

  private static Config with(Optional<ClientCertificate> certificate, Config config)
      throws GeneralSecurityException {
    if (certificate.isEmpty()) {
      return config;
    }
    ClientCertificate pair = certificate.get();
    return new ConfigBuilder(config)
        .withClientCertData(pair.certificate())
        .withClientKeyData(pair.key())
        // fabric8 assumes RSA if no algorithm is set.
        .withClientKeyAlgo(Pem.privateKey(pair.key()).getAlgorithm())
        .build();
  }

  public TrustManager[] trust() {
    return new TrustManager[] {new ReloadedTrust(this)};
  }

  /**
   * Returns the key managers for the client's certificate, or null if the client does not have a
   * certificate.
   */
  public KeyManager @Nullable [] keys() {
    return generations.current().keys() == null
        ? null
        : new KeyManager[] {new ReloadedKeys(this::recent, generations)};
  }

  /** Returns the current material. If the last read is at least 10 s ago, reads the files first. */
  TlsMaterial recent() {
    synchronized (this) {
      if (scheduler.nanoTime() - readAt >= PERIOD.toNanos()) {
        readAgain();
      }
    }
    return generations.current();
  }

  /**
   * Reads the files and returns the current material. If the files cannot be used, this is the
   * previous material.
   */
  synchronized TlsMaterial now() {
    readAgain();
    return generations.current();
  }

  /**
   * Returns an interceptor that runs before each request. It reads the files if they were last read
   * at least 10 s ago. The interceptor is necessary because some connections never call the trust
   * manager or the key manager.
   */
  public Interceptor beforeRequests() {
    return new Interceptor() {
      @Override
      public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        recent();
      }
    };
  }

  /**
   * Records a session after its server has been found to be trusted. Does nothing if the session is
   * null.
   */
  synchronized void trusted(@Nullable SSLSession session, TlsMaterial by) {
    if (session != null) {
      sessions.add(new Trusted(session, by.generation(), scheduler.nanoTime()));
    }
  }

  @GuardedBy("this")
  private void endSessions() {
    long now = scheduler.nanoTime();
    int generation = generations.current().generation();
    sessions.removeIf(
        trusted -> {
          boolean over =
              trusted.generation() != generation || now - trusted.at() >= SESSION.toNanos();
          if (over) {
            trusted.session().invalidate(); // also invalidates sessions that were derived from it
          }
          return over;
        });
  }

  @GuardedBy("this")
  private void readAgain() {
    readAt = scheduler.nanoTime();
    try {
      Optional<ClientCertificate> certificate = certificate(config);
      List<ByteBuffer> found = read(files, certificate);
      if (!found.equals(contents)) {
        generations.replace(
            TlsMaterial.of(with(certificate, config), transport, generations.next()));
        contents = found;
        log.info("The certificates in {} have changed; new connections use them.", this);
      } else if (!problem.isEmpty()) {
        log.info("The certificates in {} can be used again.", this);
      }
      problem = "";
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String why = e.toString();
      if (!problem.equals(why)) {
        problem = why;
        log.warn(
            "The certificates in {} can't be used; keeping the previous ones: {}. Correct them; no"
                + " restart is needed.",
            this,
            OneLine.of(why, 200));
      }
    }
    endSessions();
  }

  /** Returns the location of the CA certificates, for use in messages. */
  String authority() {
    String file = config.getCaCertFile();
    return file == null || file.isBlank() ? "the configuration" : file;
  }

  @Override
  public String toString() {
    return files.isEmpty() ? "the output of the exec plugin" : files.toString();
  }
}
