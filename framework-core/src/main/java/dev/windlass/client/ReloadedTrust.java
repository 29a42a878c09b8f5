// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.OneLine;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts whom the CA file of today vouches for. A server that it does not vouch for is refused,
 * saying so in one sentence, after the file has been read again.
 */
final class ReloadedTrust extends X509ExtendedTrustManager {

  private final TlsFiles files;

  ReloadedTrust(TlsFiles files) {
    this.files = files;
  }

  /** One of the ways to ask a trust manager. */
  private interface Question {
    void ask(X509ExtendedTrustManager trust) throws CertificateException;
  }

  /** By whom it is trusted. */
  private TlsMaterial check(X509Certificate[] chain, Question question)
      throws CertificateException {
    TlsMaterial recent = files.recent();
    try {
      question.ask(recent.trust());
      return recent;
    } catch (CertificateException first) {
      TlsMaterial now = files.now();
      if (now.generation() == recent.generation()) {
        throw explained(chain, first);
      }
      try {
        question.ask(now.trust());
        return now;
      } catch (CertificateException second) {
        throw explained(chain, second);
      }
    }
  }

  private CertificateException explained(X509Certificate[] chain, CertificateException e) {
    if (!isUnknown(e)) {
      return e; // it has expired, or is that of another host: the message says so
    }
    String issuer = chain.length == 0 ? "?" : chain[0].getIssuerX500Principal().getName();
    return new CertificateException(
        "the server's certificate is not signed by a CA in "
            + files.authority()
            + "; put the right CA there (no restart is needed), or the right address (it is of "
            + OneLine.of(issuer, 200)
            + ")",
        e);
  }

  /** Whether nobody vouches for it. */
  private static boolean isUnknown(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof CertPathBuilderException
          || (at instanceof CertPathValidatorException invalid
              && (invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR
                  || invalid.getReason()
                      == CertPathValidatorException.BasicReason.INVALID_SIGNATURE))) {
        return true;
      }
    }
    return false;
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
    return files.recent().trust().getAcceptedIssuers();
  }
}
