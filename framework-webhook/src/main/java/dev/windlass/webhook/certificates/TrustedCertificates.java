// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** The certificate of the webhook server. Reports whether the API server trusts it. */
public interface TrustedCertificates {

  /**
   * Returns the reason why the API server cannot call the webhooks of this replica, or empty if it
   * can.
   */
  Optional<String> readiness();

  /**
   * Returns the reason why the program cannot maintain the certificate, or empty if it can. The API
   * server can still call the webhooks while the current certificate is valid.
   */
  Optional<String> problem();

  /** Records a TLS handshake that a client has completed. */
  void accepted(X509Certificate certificate);
}
