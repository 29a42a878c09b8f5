// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A replica that has just started, and creates the Secret before those that know the former CA. */
public final class FreshReplica {

  private FreshReplica() {}

  /**
   * Returns the Secret that this replica creates.
   *
   * @param host the name or address of the server
   * @param caBundle what the API server trusts
   */
  public static Secret secret(ObjectKey key, String host, String caBundle) {
    CertificateSet set =
        new CertificateRenewal(List.of(host), CertificateValidity.DEFAULT)
            .renewed(
                StoredCertificates.NONE, null, CertificateChain.roots(caBundle), Instant.now());
    return CertificateSecret.create(key, set, Map.of());
  }
}
