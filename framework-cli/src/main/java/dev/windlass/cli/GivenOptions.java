// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.httpserver.BindAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Determines how a program's other options affect the files that {@code --write-helm} and {@code
 * --write-manifests} write. No option is ignored: each option determines a chart value, becomes an
 * argument of the container, or is rejected.
 *
 * @param command the command line of the program, with its arguments
 */
record GivenOptions(CommandSpec command) {

  static final String PROBES = "--health-probe-bind-address";
  static final String METRICS = "--metrics-bind-address";
  static final String WEBHOOKS = "--webhook-bind-address";
  static final String SHARDS = "--shards";
  private static final String LEADER_ELECT = "--leader-elect";

  /** The options that determine chart values or objects. */
  private static final Set<String> IN_THE_CHART =
      Set.of(
          PROBES,
          METRICS,
          LEADER_ELECT,
          SHARDS,
          "--namespace",
          "--log-level",
          "--log-format",
          "--write-helm",
          "--write-manifests",
          "--write-image",
          "--write-namespace");

  private static final String OWN_ACCOUNT = "in the cluster, the program uses its ServiceAccount";
  private static final String OWN_SERVICE =
      "the chart contains the Service of the webhooks, in the namespace of the installation";
  private static final String PRINTS = "it prints what the written files contain";

  /** The options that cannot be part of an installation, each with the reason. */
  private static final Map<String, String> CONTRADICTIONS =
      Map.of(
          "--kubeconfig", OWN_ACCOUNT,
          "--master", OWN_ACCOUNT,
          "--install-crds", "the chart contains the CRDs; its value 'crds' excludes them",
          "--print-rbac", PRINTS,
          "--print-manifests", PRINTS,
          "--webhook-service", OWN_SERVICE,
          "--webhook-namespace", OWN_SERVICE,
          "--webhook-url", OWN_SERVICE);

  /**
   * Rejects options that cannot be part of an installation.
   *
   * @throws ParameterException if such an option was given; the message names the option and states
   *     the reason
   */
  void requireMeaning() {
    for (OptionSpec option : options()) {
      String reason = CONTRADICTIONS.get(name(option));
      if (reason != null) {
        throw wrong(name(option), reason);
      }
    }
    if (isGiven(LEADER_ELECT) && Boolean.FALSE.equals(option(LEADER_ELECT).getValue())) {
      throw wrong(LEADER_ELECT + "=false", "the chart may run several replicas");
    }
  }

  boolean isGiven(String name) {
    return options().stream().anyMatch(option -> name(option).equals(name));
  }

  /**
   * Returns the port of the address that an option specifies.
   *
   * @param name the name of the option
   * @return the port, or an empty result if the option was not given
   * @throws ParameterException if the address has no port, or if the kubelet and other Pods could
   *     not connect to it. The metrics address can also be a loopback address
   */
  OptionalInt port(String name) {
    if (!isGiven(name)) {
      return OptionalInt.empty();
    }
    String value = String.valueOf(option(name).<Object>getValue());
    Optional<BindAddress> address = BindAddress.parse(value);
    if (address.isEmpty() || address.get().port() == 0) {
      throw wrong(name + "=" + value, "the chart needs a port, such as :8080");
    }
    boolean inside = name.equals(METRICS) && address.get().isLoopback();
    if (!inside && !Set.of("", "0.0.0.0", "::").contains(address.get().host())) {
      int port = address.get().port();
      throw wrong(
          name + "=" + value, "other Pods and the kubelet could not reach it; use :" + port);
    }
    return OptionalInt.of(address.get().port());
  }

  /** Returns whether a metrics address was given and can be reached from outside the Pod. */
  boolean hasMetricsOutside() {
    return isGiven(METRICS)
        && BindAddress.parse(String.valueOf(option(METRICS).<Object>getValue()))
            .filter(address -> !address.isLoopback())
            .isPresent();
  }

  /** Returns the options and parameters that the container receives as arguments. */
  List<String> arguments() {
    Stream<String> options =
        options().stream()
            .filter(option -> !IN_THE_CHART.contains(name(option)))
            .flatMap(option -> given(option).stream());
    Stream<String> parameters =
        command.commandLine().getParseResult().matchedPositionals().stream()
            .flatMap(parameter -> parameter.originalStringValues().stream());
    return Stream.concat(options, parameters).toList();
  }

  private static List<String> given(OptionSpec option) {
    String name = option.longestName();
    boolean isFlag = option.arity().max() == 0;
    return option.originalStringValues().stream()
        .map(value -> isFlag && value.equals("true") ? name : name + "=" + value)
        .toList();
  }

  private List<OptionSpec> options() {
    return command.commandLine().getParseResult().matchedOptions();
  }

  private ArgSpec option(String name) {
    return command.findOption(name);
  }

  private static String name(OptionSpec option) {
    return option.names()[0];
  }

  private ParameterException wrong(String option, String reason) {
    return new ParameterException(
        command.commandLine(), option + " cannot be part of an installation: " + reason);
  }
}
