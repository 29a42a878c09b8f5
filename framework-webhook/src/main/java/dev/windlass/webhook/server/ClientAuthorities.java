// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.tls.Pem;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts clients that present a certificate signed by one of the CAs in a file. The file is read
 * again every 10 s, so changes apply to new connections without a restart. If the file becomes
 * unusable, the previous CAs remain in use. This class is thread-safe.
 */
public final class ClientAuthorities extends X509ExtendedTrustManager implements LoopStep {

  /** The interval at which the file is read: 10 s, as for the server's certificate. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(ClientAuthorities.class);

  private final Path file;
  private volatile X509ExtendedTrustManager current;

  /**
   * The content of the file as it was last read, even if it was not usable. Only one thread at a
   * time uses this field.
   */
  private String tried;

  private @Nullable String problem;

  /**
   * Creates an instance and reads the file.
   *
   * @param file the file with the CA certificates in PEM format
   * @throws IllegalArgumentException if the file cannot be used; the message states the cause
   */
  public ClientAuthorities(Path file) {
    this.file = file;
    try {
      tried = read();
      current = trust(tried);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(unusable(e), e);
    }
  }

  private String unusable(Exception e) {
    return "the certificates of clients can't be verified by " + file + ": " + e;
  }

  private String read() throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static X509ExtendedTrustManager trust(String pem)
      throws GeneralSecurityException, IOException {
    List<X509Certificate> authorities = Pem.certificates(pem);
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("ca-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  /** Reads the file again. */
  @Override
  public StepDelay run() {
    try {
      String content = read();
      if (!content.equals(tried)) {
        tried = content;
        current = trust(content);
        log.info("The CAs of clients in {} have changed; new connections use them", file);
      }
      problem = null;
    } catch (GeneralSecurityException | IOException e) {
      if (!e.toString().equals(problem)) {
        log.warn("Keeping the previous CAs of clients: {}", unusable(e));
      }
      problem = e.toString();
    }
    return StepDelay.of(PERIOD);
  }

  /**
   * Checks the client certificate of a session. This check is necessary because TLS does not verify
   * the client again when it resumes an earlier session. Without it, the server would continue to
   * accept a client whose CA has been removed from the file.
   *
   * @throws SSLException if no CA in the file has signed the client's certificate
   */
  void requireTrusted(SSLSession session) throws SSLException {
    try {
      if (!(session.getPeerCertificates() instanceof X509Certificate[] chain)) {
        throw new SSLPeerUnverifiedException("the client has no X.509 certificate");
      }
      current.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
    } catch (CertificateException e) {
      throw new SSLException("the client's certificate is not signed by a CA in " + file, e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    current.checkClientTrusted(chain, type, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    current.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    current.checkClientTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("these CAs are for clients only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    throw new CertificateException("these CAs are for clients only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("these CAs are for clients only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return current.getAcceptedIssuers();
  }

  @Override
  public String toString() {
    return "the CAs of clients in " + file;
  }
}
