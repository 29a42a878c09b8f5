// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.ImageName;
import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.Installation.Defaults;
import dev.windlass.cli.install.Installation.Endpoints;
import dev.windlass.cli.install.Installation.Identity;
import dev.windlass.cli.install.Installation.Leases;
import dev.windlass.cli.install.Installation.Needs;
import dev.windlass.cli.install.InstallationValue;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.manager.InvalidSettingException;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Model.CommandSpec;

/** Determines what a program needs in a cluster, based on the program's defaults and options. */
final class InstallationBuilder {

  private static final int PROBE_PORT = 8081;
  private static final int METRICS_PORT = 8080;

  private final Program program;
  private final Settings settings;
  private final CommandSpec command;
  private final GivenOptions given;

  /** The webhooks that the program declares. */
  private final DeclaredWebhooks webhooks;

  /**
   * Creates a builder.
   *
   * @param settings the options that all programs share; this class changes them, and makes them
   *     independent of the environment
   * @param command the command line of the program, with its arguments
   * @throws picocli.CommandLine.ParameterException if a given option cannot be part of an
   *     installation
   */
  InstallationBuilder(Program program, Settings settings, CommandSpec command) {
    this.program = program;
    this.settings = settings;
    this.command = command;
    given = new GivenOptions(command);
    given.requireMeaning();
    settings.ignoreEnvironment();
    webhooks = new DeclaredWebhooks(command, program.role());
  }

  /**
   * Returns a description of the installation. This method calls the given supplier several times:
   * with the program's own number of shards, and for one leader with options for a program that
   * watches all namespaces and for one that watches one namespace.
   *
   * @param written the image to run; null to derive the image's name from the program's role and
   *     its tag from the program's version
   * @param version the program's version; empty if it is unknown
   * @param declared the function that returns the program's needs with the current options
   */
  Installation build(
      @Nullable ImageName written,
      String version,
      Duration stopTimeout,
      Supplier<Needs> declared,
      List<CustomResourceDefinition> crds) {
    Defaults defaults = defaults();
    String release = InstallationValue.NAMESPACE.placeholder();
    settings.leaderElection = true;
    settings.leaseNamespace = settings.leaseNamespace.isEmpty() ? release : settings.leaseNamespace;
    webhooks.serveIn(release);
    settings.namespace = null;
    settings.shards = null;
    Leases leases = new Leases(program.lease(), settings.leaseNamespace, declared.get().shards());
    settings.shards = 1; // a Role of its own holds the permissions for shards
    Needs everywhere = declared.get();
    Needs inOneNamespace = inOneNamespace(declared).orElse(everywhere);
    return new Installation(
        identity(written, version),
        endpoints(webhooks.port(everywhere.objects())),
        stopTimeout,
        given.arguments(),
        defaults,
        leases,
        everywhere,
        inOneNamespace,
        crds);
  }

  /**
   * Returns the program's needs in the namespace that the user chooses at installation, or empty if
   * the program cannot be restricted to one namespace.
   */
  private Optional<Needs> inOneNamespace(Supplier<Needs> declared) {
    settings.namespace = InstallationValue.WATCHED_NAMESPACE.placeholder();
    try {
      return Optional.of(declared.get());
    } catch (InvalidSettingException e) {
      return Optional.empty(); // its controllers call inNamespaces(...)
    } finally {
      settings.namespace = null;
    }
  }

  private Defaults defaults() {
    Level level = given.isGiven("--log-level") ? settings.logLevel : Level.INFO;
    LogFormat format = given.isGiven("--log-format") ? settings.logFormat : LogFormat.TEXT;
    return new Defaults(
        Objects.requireNonNullElse(settings.namespace, ""),
        String.valueOf(level),
        String.valueOf(format),
        given.isGiven(GivenOptions.SHARDS) ? Objects.requireNonNull(settings.shards) : 0,
        given.hasMetricsOutside());
  }

  private Endpoints endpoints(OptionalInt webhookPort) {
    given.port(GivenOptions.WEBHOOKS); // only checks it; the program has declared the port
    return new Endpoints(
        given.port(GivenOptions.PROBES).orElse(port(program.probes(), PROBE_PORT)),
        given.port(GivenOptions.METRICS).orElse(port(program.metrics(), METRICS_PORT)),
        webhookPort);
  }

  private Identity identity(@Nullable ImageName written, String version) {
    ImageName named = written == null ? ImageName.parse(program.role()) : written;
    ImageName image = named.orTag(version.isEmpty() ? "latest" : tag(version));
    String description = String.join(" ", command.usageMessage().description());
    return new Identity(
        program.role(), description, version.isEmpty() ? image.tag() : version, image);
  }

  /** Replaces the characters that an image tag cannot contain. */
  private static String tag(String version) {
    return version.replaceAll("[^-_.0-9A-Za-z]", "_");
  }

  private static int port(String address, int otherwise) {
    return BindAddress.parse(address)
        .map(BindAddress::port)
        .filter(port -> port != 0)
        .orElse(otherwise);
  }
}
