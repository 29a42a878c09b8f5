// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.diagnosis.LeaseDiagnosis;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Describes a program at startup: its versions, its API server and its leader election. Once the
 * program has started, the manager itself reports its controllers and endpoints. This class is
 * stateless.
 */
final class StartupSummary {

  /**
   * The maximum time to wait for the version of the API server: 2 s. After this time, the program
   * starts anyway, and the summary states that the version is not known yet.
   */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private StartupSummary() {}

  static List<String> of(String versions, Manager manager) {
    return List.of(versions, server(manager), election(manager.diagnosis().leases()));
  }

  private static String server(Manager manager) {
    KubernetesClient client = manager.replicaKubernetesClient();
    InformerOptions options = manager.informerOptions();
    Optional<String> version =
        new TimedWait(options.scheduler())
            .atMost(
                PATIENCE,
                options.threads(),
                "server-version",
                () -> client.getKubernetesVersion().getGitVersion());
    return server(String.valueOf(client.getMasterUrl()), version);
  }

  static String server(String address, Optional<String> version) {
    return "The API server is "
        + address
        + version.map(known -> ", Kubernetes " + known).orElse(", version not known yet");
  }

  static String election(List<LeaseDiagnosis> leases) {
    return leases.isEmpty()
        ? "Leader election is off: run one replica only"
        : leases.stream()
            .map(
                lease ->
                    "Replicas compete for the Lease "
                        + lease.lease()
                        + "; this one is "
                        + lease.identity())
            .findFirst()
            .orElseThrow();
  }
}
