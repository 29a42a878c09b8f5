// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.time.Duration;
import java.util.List;

/**
 * The settings that {@code RealApiServer.Builder} collects.
 *
 * @param programs the programs to start
 * @param controllerManager whether to start a controller manager
 * @param audit whether the API server writes an audit log
 * @param apiServerFlags additional flags for kube-apiserver
 * @param startTimeout the maximum time to wait until the API server is ready
 */
public record ServerOptions(
    ServerPrograms programs,
    boolean controllerManager,
    boolean audit,
    List<String> apiServerFlags,
    Duration startTimeout) {

  public ServerOptions {
    apiServerFlags = List.copyOf(apiServerFlags);
    for (String flag : apiServerFlags) {
      if (!flag.startsWith("--")) {
        throw new IllegalArgumentException(
            "a kube-apiserver flag starts with --, as in --max-requests-inflight=10: " + flag);
      }
    }
    if (startTimeout.isNegative() || startTimeout.isZero()) {
      throw new IllegalArgumentException("the start timeout must be positive: " + startTimeout);
    }
  }
}
