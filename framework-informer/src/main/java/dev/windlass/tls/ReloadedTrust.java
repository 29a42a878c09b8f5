// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import dev.windlass.failure.CauseChain;
import dev.windlass.logging.OneLine;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A trust manager that trusts a server if a CA in the current CA file has signed its certificate.
 * Before it rejects a server, it reads the file again. If it rejects a server, the exception
 * explains the reason in one sentence.
 */
final class ReloadedTrust extends X509ExtendedTrustManager {

  private final TlsFiles files;

  ReloadedTrust(TlsFiles files) {
    this.files = files;
  }

  /** A check that a trust manager performs. */
  private interface Question {
    void ask(X509ExtendedTrustManager trust) throws CertificateException;
  }

  /**
   * Performs the given check, and returns the material that trusts the certificate chain. If the
   * check fails, reads the files again and repeats the check if they have changed.
   *
   * @throws CertificateException if the certificate chain is not trusted
   */
  private TlsMaterial check(X509Certificate[] chain, Question question)
      throws CertificateException {
    TlsMaterial recent = files.recent();
    try {
      question.ask(recent.requireTrust());
      return recent;
    } catch (CertificateException first) {
      TlsMaterial now = files.now();
      if (now.generation() == recent.generation()) {
        throw explained(chain, first);
      }
      try {
        question.ask(now.requireTrust());
        return now;
      } catch (CertificateException second) {
        throw explained(chain, second);
      }
    }
  }

  private CertificateException explained(X509Certificate[] chain, CertificateException e) {
    if (!isUnknown(e)) {
      return e; // the message states the cause, such as an expired certificate
    }
    String issuer = chain.length == 0 ? "?" : chain[0].getIssuerX500Principal().getName();
    return new CertificateException(
        "the server's certificate is not signed by a CA in "
            + files.authority()
            + "; put the right CA there (no restart is needed), or correct the address of the"
            + " server (the certificate was issued by "
            + OneLine.of(issuer, 200)
            + ")",
        e);
  }

  /** Returns whether the certificate was rejected because no known CA has signed it. */
  private static boolean isUnknown(Throwable failure) {
    return CauseChain.of(failure)
        .anyMatch(
            at ->
                at instanceof CertPathBuilderException
                    || (at instanceof CertPathValidatorException invalid
                        && (invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR
                            || invalid.getReason() == BasicReason.INVALID_SIGNATURE)));
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String type, @Nullable SSLEngine connection)
      throws CertificateException {
    TlsMaterial by = check(chain, trust -> trust.checkServerTrusted(chain, type, connection));
    files.trusted(connection == null ? null : connection.getHandshakeSession(), by);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket connection)
      throws CertificateException {
    TlsMaterial by = check(chain, trust -> trust.checkServerTrusted(chain, type, connection));
    files.trusted(connection instanceof SSLSocket tls ? tls.getHandshakeSession() : null, by);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, trust -> trust.checkServerTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String type, @Nullable SSLEngine connection)
      throws CertificateException {
    check(chain, trust -> trust.checkClientTrusted(chain, type, connection));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket connection)
      throws CertificateException {
    check(chain, trust -> trust.checkClientTrusted(chain, type, connection));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, trust -> trust.checkClientTrusted(chain, type));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return files.recent().requireTrust().getAcceptedIssuers();
  }
}
