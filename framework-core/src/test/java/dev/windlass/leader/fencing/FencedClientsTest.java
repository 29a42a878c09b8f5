// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fenced client takes from its base. */
final class FencedClientsTest {

  @TempDir private Path folder = Path.of("unset");

  /** The base has loaded the certificates, which takes long. */
  @Test
  void doNotReadTheCertificatesAgain() {
    var config = new ConfigBuilder().withMasterUrl("https://example.com:6443").build();
    try (KubernetesClient base = new KubernetesClientBuilder().withConfig(config).build()) {
      base.getConfiguration().setCaCertFile(folder.resolve("absent").toString());
      try (KubernetesClient fenced = FencedClients.of(base, Fence.OPEN, Thread::new)) {
        assertThat(fenced.getMasterUrl()).isEqualTo(base.getMasterUrl());
      }
    }
  }
}
