// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Creates the clients with which a test accesses its server. */
final class AdminClients {

  /**
   * The serialization that all clients share. Each further instance would have to inspect the
   * classes of objects again.
   */
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private AdminClients() {}

  /** Creates a client. The caller must close it. */
  static KubernetesClient create(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }
}
