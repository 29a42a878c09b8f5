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

  /** Records a TLS handshake that a client has completed. */
  void accepted(X509Certificate certificate);
}
