// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the running software. Instances are immutable.
 *
 * @param windlass the version of this library, or {@code unknown} if the library was not loaded
 *     from a jar built by Maven. This jar can also contain the whole program
 * @param client the version of the fabric8 client, determined in the same way
 * @param java the version of the JVM
 * @param kubernetes the API server's version, or empty before it has been requested
 */
public record Versions(String windlass, String client, String java, Optional<String> kubernetes) {

  /**
   * Returns the versions of the software in this process.
   *
   * @param kubernetes the API server's version, or empty if it is unknown
   */
  public static Versions ofProcess(Optional<String> kubernetes) {
    return new Versions(
        of(Versions.class, "dev.windlass/framework-core"),
        of(KubernetesClient.class, "io.fabric8/kubernetes-client-api"),
        String.valueOf(System.getProperty("java.version")),
        kubernetes);
  }

  private static String of(Class<?> type, String artifact) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? written(artifact).orElse("unknown") : version;
  }

  /**
   * Returns an artifact's version from the {@code pom.properties} file that Maven has written into
   * the jar. Unlike the manifest, this file is preserved when the jar is merged with other jars.
   *
   * @param artifact the artifact's group ID and artifact ID, separated by a slash
   */
  static Optional<String> written(String artifact) {
    try (@Nullable InputStream file =
        Versions.class.getResourceAsStream("/META-INF/maven/" + artifact + "/pom.properties")) {
      if (file == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(file);
      return Optional.ofNullable(properties.getProperty("version"));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
