// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * The certificate settings of a program's webhooks.
 *
 * @param secret the key of the Secret that all replicas share
 * @param identity the unique name of this replica
 * @param validity the validity periods of new certificates
 */
public record CertificateOptions(ObjectKey secret, String identity, CertificateValidity validity) {

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

  /**
   * Returns the name of this replica: the value of the environment variable {@code HOSTNAME} or, if
   * it is not set, the host name. In a Pod, this variable contains the Pod's name.
   */
  public static String hostName() {
    String given = System.getenv("HOSTNAME");
    if (given != null && !given.isEmpty()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
