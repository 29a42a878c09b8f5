// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kube-apiserver stops to read a body after 3 MiB, responds, and closes the connection. */
@Timeout(180)
final class LargeBodyIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @ParameterizedTest
  @ValueSource(ints = {4_000_000, 30_000_000})
  void isRejectedWithAReason(int size) {
    ConfigMap large =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("large")
            .endMetadata()
            .addToData("a", "x".repeat(size))
            .build();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(kubernetes.server().clientConfig())
            .withHttpClientFactory(new SocketTransport())
            .build()) {
      assertThatThrownBy(() -> client.resource(large).create())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(413));
    }
  }
}
