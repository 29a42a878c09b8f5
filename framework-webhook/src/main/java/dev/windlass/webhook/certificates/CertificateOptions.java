// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;

/**
 * The certificate settings of a program's webhooks.
 *
 * @param secret the key of the Secret that all replicas share
 * @param validity the validity periods of new certificates
 */
public record CertificateOptions(ObjectKey secret, CertificateValidity validity) {

  /**
   * Returns a Secret without certificates, for the manifests of an installation. The program adds
   * the certificates. When the installation is removed, the Secret is removed too, and with it the
   * private keys.
   */
  public Secret emptySecret() {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(secret.namespace())
        .withName(secret.name())
        .withLabels(secretLabels())
        .endMetadata()
        .withType("Opaque")
        .build();
  }

  /** Returns the Secret's labels. */
  public static Map<String, String> secretLabels() {
    return CertificateSecret.labels();
  }
}
