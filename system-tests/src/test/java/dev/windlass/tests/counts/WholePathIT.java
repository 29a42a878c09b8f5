// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Without a controller manager, which would write, too. */
final class WholePathIT extends WholePathContract {

  private static final Pattern WRITES =
      Pattern.compile(
          "^apiserver_request_total\\{.*resource=\"(?:benchs|configmaps)\".*"
              + "verb=\"(?:APPLY|DELETE|PATCH|POST|PUT)\".*} (\\S+)$",
          Pattern.MULTILINE);

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  /** The ConfigMaps that the API server itself writes soon after its start. */
  private static final List<String> OF_THE_SERVER =
      List.of(
          "extension-apiserver-authentication",
          "kube-apiserver-legacy-service-account-token-tracking");

  @BeforeEach
  void awaitTheWritesOfTheServerItself() {
    try (KubernetesClient kubectl = kubectl()) {
      var maps = kubectl.configMaps().inNamespace("kube-system");
      eventually()
          .until(() -> OF_THE_SERVER.stream().allMatch(name -> maps.withName(name).get() != null));
    }
  }

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Override
  KubernetesClient kubectl() {
    return kubernetes.server().newClient();
  }

  @Override
  int writes(KubernetesClient kubectl) {
    return WRITES
        .matcher(kubectl.raw("/metrics"))
        .results()
        .mapToInt(line -> (int) Double.parseDouble(line.group(1)))
        .sum();
  }
}
