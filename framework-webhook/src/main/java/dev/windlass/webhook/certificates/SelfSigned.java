// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.httpserver.CertificateIssuer;
import dev.windlass.tls.Pem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Issues the certificates of metrics endpoints, each from a CA that is then forgotten. */
public final class SelfSigned implements CertificateIssuer {

  @Override
  public Issued issue(Instant now, Duration validity) {
    SignedKey signed =
        CertificateAuthority.create(now, validity).issue(List.of("localhost"), now, validity);
    return new Issued(Pem.of(List.of(signed.certificate())), Pem.of(signed.key()));
  }
}
