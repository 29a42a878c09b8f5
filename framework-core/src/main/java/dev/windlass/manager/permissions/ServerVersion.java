// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.VersionInfo;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the version of the API server for logs and the diagnosis. This class is thread-safe.
 */
public final class ServerVersion {

  private static final int LONGEST = 60;

  private static final Logger log = LoggerFactory.getLogger("dev.windlass.manager.Manager");

  private final KubernetesClient client;
  private volatile Optional<String> known = Optional.empty();

  ServerVersion(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Returns the version, such as {@code v1.34.1}. The result is empty until the server has
   * responded.
   */
  Optional<String> known() {
    return known;
  }

  /**
   * Requests the version from the server and waits for the response. Does nothing if the version is
   * already known. Ignores failures.
   */
  void ask() {
    if (known.isPresent()) {
      return;
    }
    try {
      VersionInfo info = client.getKubernetesVersion();
      String version = info == null ? null : info.getGitVersion();
      if (version != null && !version.isEmpty()) {
        known = Optional.of(OneLine.of(version, LONGEST));
        log.debug("The API server runs Kubernetes {}", known.get());
      }
    } catch (KubernetesClientException e) {
      log.debug("The API server's version is not known: {}", OneLine.of(String.valueOf(e), 200));
    }
  }
}
