// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Describes what an operator needs in a cluster. In permissions and objects, {@link
 * InstallationValue}s represent the values that the user chooses at installation.
 *
 * @param identity the name and the image of the program
 * @param endpoints the ports on which the program listens
 * @param stopTimeout the maximum duration of the program's shutdown
 * @param arguments the arguments of the program, in addition to those that the installation sets
 * @param defaults the defaults of some values that the user can choose at installation
 * @param leases the Leases of the program
 * @param everywhere the needs of the program if it watches all namespaces and elects one leader
 * @param inOneNamespace the needs of the program if it watches only {@link
 *     InstallationValue#WATCHED_NAMESPACE} and elects one leader
 * @param crds the program's CRDs
 */
public record Installation(
    Identity identity,
    Endpoints endpoints,
    Duration stopTimeout,
    List<String> arguments,
    Defaults defaults,
    Leases leases,
    Needs everywhere,
    Needs inOneNamespace,
    List<CustomResourceDefinition> crds) {

  /**
   * The name and the image of a program.
   *
   * @param name the name of the chart and its objects
   * @param description one line that describes the program
   * @param version the program's version
   * @param image the image, with a tag
   */
  public record Identity(String name, String description, String version, ImageName image) {}

  /**
   * The ports on which a program listens.
   *
   * @param probePort the port of the health probes
   * @param metricsPort the port of the metrics
   * @param webhookPort the webhooks' port, if there are any
   */
  public record Endpoints(int probePort, int metricsPort, OptionalInt webhookPort) {}

  /**
   * The defaults of values that the user can choose at installation. The options given when the
   * installation files are written determine these defaults.
   *
   * @param watchNamespace the namespace to watch; empty for all namespaces
   * @param logLevel the lowest level that is logged
   * @param logFormat the format of the log
   * @param shards the number of shards; 0 for the program's own number
   * @param metrics whether the metrics can be reached from outside the Pod
   */
  public record Defaults(
      String watchNamespace, String logLevel, String logFormat, int shards, boolean metrics) {}

  /**
   * The Leases of a program.
   *
   * @param name the name of the leader's Lease, with which the names of all others begin
   * @param namespace the namespace of the Leases
   * @param ownShards the number of shards without an option; 1 for one leader
   */
  public record Leases(String name, String namespace, int ownShards) {

    /** Returns whether the Leases are in the program's namespace. */
    boolean isAtHome() {
      return namespace.equals(InstallationValue.NAMESPACE.placeholder());
    }
  }

  /**
   * The permissions and objects that a program needs in a cluster. They depend on the namespaces
   * that the program watches, and on its shards.
   *
   * @param permissions the program's permissions
   * @param objects further objects to install, such as webhook configurations. A CRD among them
   *     contributes only its conversion, which is added to the complete CRD with the same name
   * @param shards the number of shards with the program's current options; 1 for one leader
   */
  public record Needs(Permissions permissions, List<HasMetadata> objects, int shards) {}

  /** Returns the number of shards by default; 1 for one leader. */
  int shards() {
    return defaults.shards() == 0 ? leases.ownShards() : defaults.shards();
  }
}
