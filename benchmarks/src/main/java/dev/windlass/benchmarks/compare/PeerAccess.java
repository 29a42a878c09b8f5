// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/**
 * Creates the credentials of the peers: the token of a service account, as in a Pod. The peers do
 * not use the administrator's client certificate because client-java cannot read the certificate's
 * key.
 */
final class PeerAccess {

  private static final String NAMESPACE = "default";
  private static final Duration VALID = Duration.ofHours(12);

  private PeerAccess() {}

  /** Returns the user name of a service account that {@link #create} creates. */
  static String user(String name) {
    return "system:serviceaccount:" + NAMESPACE + ":" + name;
  }

  /** Creates a service account with all permissions and returns its kubeconfig. */
  static String create(KubernetesClient client, String name) {
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .build())
        .create();
    client
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                .addNewSubject("", "ServiceAccount", name, NAMESPACE)
                .build())
        .create();
    String token =
        client
            .serviceAccounts()
            .inNamespace(NAMESPACE)
            .withName(name)
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(VALID.toSeconds())
                    .endSpec()
                    .build())
            .getStatus()
            .getToken();
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: compare
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: peer
          user:
            token: %s
        contexts:
        - name: compare
          context:
            cluster: compare
            user: peer
        current-context: compare
        """
        .formatted(client.getMasterUrl(), client.getConfiguration().getCaCertData(), token);
  }
}
