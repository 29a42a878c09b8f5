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
 * @param validity the validity of new certificates
 * @param applied whether the program creates and changes the webhook configurations; if not, it
 *     changes only their CA bundles
 */
public record CertificateOptions(
    ObjectKey secret, String identity, CertificateValidity validity, boolean applied) {

  /**
   * Returns the empty Secret, to which the program adds the certificates. If an installation
   * contains this Secret, removing the installation also removes the Secret and the private keys in
   * it.
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
   * Returns this replica's name: the environment variable {@code HOSTNAME}, which in a Pod is the
   * Pod's name, or else the name of the host.
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
