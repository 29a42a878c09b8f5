// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * What runs here. Immutable.
 *
 * @param windlass of this library; {@code unknown} if it was not started from a jar
 * @param client of fabric8's client, likewise
 * @param java of the JVM
 * @param kubernetes of the API server; empty before it has been asked
 */
public record Versions(String windlass, String client, String java, Optional<String> kubernetes) {

  /** Those of this process. */
  public static Versions ofProcess(Optional<String> kubernetes) {
    return new Versions(
        of(Versions.class),
        of(KubernetesClient.class),
        String.valueOf(System.getProperty("java.version")),
        kubernetes);
  }

  private static String of(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
