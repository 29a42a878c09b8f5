// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.List;

/**
 * What an operator's program needs in a cluster. Permissions and objects contain {@link
 * InstallationNamespace}s in place of the namespaces that the user chooses at the installation.
 *
 * @param identity the name and the image of the program
 * @param endpoints where the program listens
 * @param stopTimeout how long a stop of the program may take
 * @param arguments the arguments of the program, in addition to those that the installation sets
 * @param watchNamespace the default namespace to watch; empty for all namespaces
 * @param rights the permissions of the program
 * @param crds the CRDs of the program
 * @param objects further objects to install, such as webhook configurations. A CRD among them
 *     contributes its conversion to the complete CRD of the same name
 */
public record Installation(
    Identity identity,
    Endpoints endpoints,
    Duration stopTimeout,
    List<String> arguments,
    String watchNamespace,
    Rights rights,
    List<CustomResourceDefinition> crds,
    List<HasMetadata> objects) {

  /**
   * The name and the image of a program.
   *
   * @param name the name of the chart and of its objects
   * @param description one line that describes the program
   * @param version the version of the program
   * @param image the image, with a tag
   */
  public record Identity(String name, String description, String version, ImageName image) {}

  /**
   * Where a program listens.
   *
   * @param probePort the port of the health probes
   * @param metricsPort the port of the metrics
   * @param webhooks whether the program serves webhooks
   */
  public record Endpoints(int probePort, int metricsPort, boolean webhooks) {}

  /**
   * The permissions of a program, which depend on the namespaces that it watches.
   *
   * @param everywhere the permissions of a program that watches all namespaces
   * @param inOneNamespace the permissions of a program that watches {@link
   *     InstallationNamespace#WATCHED} only
   */
  public record Rights(Permissions everywhere, Permissions inOneNamespace) {}
}
