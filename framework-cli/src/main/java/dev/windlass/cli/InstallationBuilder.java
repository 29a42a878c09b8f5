// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.ImageName;
import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.Installation.Endpoints;
import dev.windlass.cli.install.Installation.Identity;
import dev.windlass.cli.install.Installation.Rights;
import dev.windlass.cli.install.InstallationNamespace;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Collects what a program needs in a cluster, from its defaults and from the options that it was
 * given.
 *
 * @param settings the options of all programs. {@link #rights} changes them
 * @param command the command line of the program, with its arguments
 */
record InstallationBuilder(
    Program program, Settings settings, InstallationOptions options, CommandSpec command) {

  private static final String WEBHOOK_SERVICE = "--webhook-service";

  private static final int PROBE_PORT = 8081;
  private static final int METRICS_PORT = 8080;

  /** The options that the Deployment sets itself, or that have no meaning in it. */
  private static final Set<String> OF_THE_DEPLOYMENT =
      Set.of(
          "--kubeconfig",
          "--master",
          "--namespace",
          "--install-crds",
          "--leader-elect",
          "--leader-election-namespace",
          "--metrics-bind-address",
          "--health-probe-bind-address",
          "--print-rbac",
          "--print-manifests",
          "--log-level",
          "--log-format",
          "--write-helm",
          "--write-kustomize",
          "--write-image",
          "--write-namespace",
          WEBHOOK_SERVICE,
          "--webhook-url",
          "--webhook-namespace",
          "--webhook-configurations",
          "--webhook-bind-address");

  /**
   * Returns the permissions of the program in the cluster. The program declares them twice, once
   * for all namespaces, and once for one.
   *
   * @param declared returns the permissions with the present options
   */
  Rights rights(Supplier<Permissions> declared) {
    String release = InstallationNamespace.RELEASE.placeholder();
    settings.installCrds = CrdMode.NO;
    settings.leaderElection = true;
    settings.leaseNamespace = release;
    if (hasWebhooks()) {
      set(WEBHOOK_SERVICE, program.role());
      set("--webhook-namespace", release);
      set("--webhook-configurations", WebhookOptions.ConfigurationMode.INJECT);
      set("--webhook-url", null);
    }
    String watched = settings.namespace;
    settings.namespace = InstallationNamespace.WATCHED.placeholder();
    Permissions inOneNamespace = declared.get();
    settings.namespace = null;
    Permissions everywhere = declared.get();
    settings.namespace = watched;
    return new Rights(everywhere, inOneNamespace);
  }

  private boolean hasWebhooks() {
    return command.findOption(WEBHOOK_SERVICE) != null;
  }

  private void set(String option, @Nullable Object value) {
    command.findOption(option).setValue(value);
  }

  /**
   * Returns the description of the installation.
   *
   * @param version the version of the program; empty if it is unknown
   */
  Installation build(
      String version,
      Duration stopTimeout,
      Rights rights,
      List<CustomResourceDefinition> crds,
      List<HasMetadata> objects) {
    ImageName image =
        options.image != null
            ? options.image
            : ImageName.parse(program.role() + (version.isEmpty() ? "" : ":" + tag(version)));
    String description = String.join(" ", command.usageMessage().description());
    Identity identity =
        new Identity(program.role(), description, version.isEmpty() ? image.tag() : version, image);
    Endpoints endpoints =
        new Endpoints(
            port(program.probes(), PROBE_PORT),
            port(program.metrics(), METRICS_PORT),
            hasWebhooks());
    return new Installation(
        identity,
        endpoints,
        stopTimeout,
        arguments(),
        settings.namespace == null ? "" : settings.namespace,
        rights,
        crds,
        List.copyOf(objects));
  }

  /** Replaces the characters that a tag of an image cannot have. */
  private static String tag(String version) {
    return version.replaceAll("[^-_.0-9A-Za-z]", "_");
  }

  private static int port(String address, int otherwise) {
    return BindAddress.parse(address)
        .map(BindAddress::port)
        .filter(port -> port != 0)
        .orElse(otherwise);
  }

  /** Returns the given options of the program itself, as arguments. */
  private List<String> arguments() {
    return command.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !OF_THE_DEPLOYMENT.contains(option.names()[0]))
        .flatMap(option -> given(option).stream())
        .toList();
  }

  private static List<String> given(OptionSpec option) {
    String name = option.longestName();
    boolean isFlag = option.arity().max() == 0;
    return option.originalStringValues().stream()
        .map(value -> isFlag && value.equals("true") ? name : name + "=" + value)
        .toList();
  }
}
