// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Creates the clients with which a test accesses its server. */
final class AdminClients {

  /**
   * The serialization that all clients share, because each instance would inspect the classes of
   * objects again.
   */
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private AdminClients() {}

  /** Creates a client, which the caller must close. */
  static KubernetesClient create(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }
}
