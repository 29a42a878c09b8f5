// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.Setting;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options that all operators share. An option that was not given is null. This class is not
 * thread-safe.
 */
final class Settings {

  private static final String OUT_OF_CLUSTER = "Only required if out-of-cluster.";

  @Option(
      names = {"--kubeconfig", "-kubeconfig"},
      paramLabel = "FILE",
      converter = NamedPath.class,
      description = "Path to a kubeconfig. " + OUT_OF_CLUSTER)
  @Nullable Path kubeconfig;

  @Option(
      names = {"--master", "-master"},
      paramLabel = "URL",
      converter = ServerAddress.class,
      description =
          "The address of the Kubernetes API server. Overrides any value in kubeconfig. "
              + OUT_OF_CLUSTER)
  @Nullable String master;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      converter = Namespace.class,
      description = "Namespace whose objects are cached and reconciled. Default: all namespaces.")
  @Nullable String namespace;

  @Option(
      names = "--install-crds",
      arity = "0..1",
      paramLabel = "HOW",
      fallbackValue = "true",
      description = {
        "Applies this operator's CRDs and waits until they are served before starting.",
        "Fails if another field manager has set other values; force overwrites them."
      })
  CrdMode installCrds = CrdMode.FALSE;

  @Option(
      names = "--workers",
      paramLabel = "N",
      converter = Workers.class,
      description = "Maximum number of objects reconciled concurrently.")
  @Nullable Integer workers;

  @Option(
      names = {"--leader-elect", "--enable-leader-election"},
      arity = "0..1",
      fallbackValue = "true",
      description = "Enables leader election: one replica is active, the others stand by.")
  boolean leaderElection;

  @Option(
      names = "--leader-election-namespace",
      paramLabel = "NAME",
      converter = Namespace.class,
      description =
          "Namespace of the Lease. Default: that of the Pod or the kubeconfig, or default.")
  String leaseNamespace = "";

  @Option(
      names = "--shards",
      paramLabel = "N",
      converter = Shards.class,
      description = {
        "Number of parts into which the replicas divide the objects of sharded controllers,",
        "with --leader-elect."
      })
  @Nullable Integer shards;

  @Option(
      names = {"--metrics-bind-address", "--metrics-addr"},
      paramLabel = "ADDRESS",
      converter = Listening.class,
      description = "Address that serves /metrics and /debug/windlass; 0 to disable.")
  @Nullable String metrics;

  @Option(
      names = "--health-probe-bind-address",
      paramLabel = "ADDRESS",
      converter = Listening.class,
      description = "Address that serves /healthz, /livez and /readyz; 0 to disable.")
  @Nullable String probes;

  @Option(
      names = "--print-rbac",
      paramLabel = "NAMESPACE:ACCOUNT",
      arity = "0..1",
      fallbackValue = "",
      converter = BoundAccount.class,
      description =
          "Prints the permissions that the operator needs with these options, as YAML, and binds"
              + " them to a ServiceAccount.")
  @Nullable String printRbac;

  @Option(
      names = "--print-manifests",
      description =
          "Prints what --print-rbac prints, and further objects, such as those of webhooks.")
  boolean printManifests;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "Lowest level that is logged: TRACE, DEBUG, INFO, WARN or ERROR.")
  @Nullable Level logLevel;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "Log format: text for people, or json with one object per line.")
  @Nullable LogFormat logFormat;

  /** Determines whether and how a program installs its CRDs. */
  enum CrdMode {

    /** Installs nothing. */
    FALSE,

    /**
     * Installs the CRDs, and fails if another field manager has set a field to a different value.
     */
    TRUE,

    /** Installs the CRDs, and overwrites the values of other field managers. */
    FORCE
  }

  /** Whether settings in the process's environment, such as {@code WINDLASS_NAMESPACE}, count. */
  private boolean usesEnvironment = true;

  /**
   * Makes these options independent of the process's environment. Installation files must depend
   * only on the program and on the options given.
   */
  void ignoreEnvironment() {
    usesEnvironment = false;
  }

  /** Creates a manager builder, for {@link #apply} after the program has configured it. */
  ManagerBuilder builder() {
    ManagerBuilder builder = Manager.builder();
    return usesEnvironment ? builder : builder.settings(name -> null);
  }

  /** Applies these options to a manager builder, except those that locate the API server. */
  ManagerBuilder apply(ManagerBuilder builder, Program program) {
    if (namespace != null) {
      builder.namespace(namespace);
    }
    String metricsAddress = metrics == null ? program.metrics() : metrics;
    if (metrics != null || !metricsAddress.equals(Program.NOWHERE)) {
      builder.metricsBindAddress(metricsAddress);
    }
    String probeAddress = probes == null ? program.probes() : probes;
    if (probes != null || !probeAddress.equals(Program.NOWHERE)) {
      builder.healthProbeBindAddress(probeAddress);
    }
    if (leaderElection) {
      elect(builder, program.lease());
    }
    return builder;
  }

  private void elect(ManagerBuilder builder, String lease) {
    if (shards == null) { // keeps the program's own number of shards
      builder.leaderElection(chosen(LeaderElectionOptions.of(lease)));
    } else if (shards == 1) {
      builder.shards(ShardOptions.of(chosen(LeaderElectionOptions.of(lease))));
    } else {
      builder.shards(ShardOptions.of(lease).withElection(this::chosen).withShards(shards));
    }
  }

  private LeaderElectionOptions chosen(LeaderElectionOptions own) {
    LeaderElectionOptions chosen = usesEnvironment ? Setting.leaderElection(own) : own;
    return leaseNamespace.isEmpty() ? chosen : chosen.withNamespace(leaseNamespace);
  }

  /** Applies these options to a manager builder, including those that locate the API server. */
  ManagerBuilder applyAll(ManagerBuilder builder, Program program) {
    apply(builder, program);
    if (kubeconfig != null) {
      builder.kubeconfig(kubeconfig);
    }
    if (master != null) {
      builder.master(master);
    }
    return builder;
  }

  /** Converts a number of shards. */
  static final class Shards implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      try {
        return ShardOptions.of("any").withShards(Integer.parseInt(value)).number();
      } catch (IllegalArgumentException e) { // also if it is not a number
        throw new TypeConversionException(
            "'" + value + "' is not a valid number of shards; use 1 to 100");
      }
    }
  }

  /** Converts a number of workers, which must be at least 1. */
  static final class Workers implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      try {
        int workers = Integer.parseInt(value);
        if (workers > 0) {
          return workers;
        }
      } catch (NumberFormatException e) {
        // text that is not a number gets the same message as a number below 1
      }
      throw new TypeConversionException(
          "'" + value + "' is not a valid number of workers; use 1 or more");
    }
  }

  /**
   * Converts the name of a namespace. An empty name is an error, because it is usually an unset
   * variable of a shell script, which must not select all namespaces.
   */
  static final class Namespace implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      try {
        if (!value.isBlank()) {
          return WatchScope.namespace(value).namespace();
        }
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
      throw new TypeConversionException("the namespace is empty; name one, or omit the option");
    }
  }

  /** Converts an address on which a server can listen. */
  static final class Listening implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      try {
        Manager.builder().metricsBindAddress(value);
        return value;
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Converts a ServiceAccount in the notation of kubectl, or an empty text for none. */
  static final class BoundAccount implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      if (!value.isEmpty() && !value.matches("[^:]+:[^:]+")) {
        throw new TypeConversionException(
            "'" + value + "' is not a ServiceAccount; use a namespace and a name, such as a:b");
      }
      return value;
    }
  }

  /** Converts the address of an API server. */
  static final class ServerAddress implements ITypeConverter<String> {
    @Override
    public String convert(String value) {
      try {
        URI address = new URI(value);
        String scheme = String.valueOf(address.getScheme());
        if (scheme.matches("https?") && address.getHost() != null) {
          return value;
        }
      } catch (URISyntaxException e) {
        // an invalid URI gets the same message as a URI without a host
      }
      throw new TypeConversionException(
          "'" + value + "' is not the address of a server, such as https://127.0.0.1:6443");
    }
  }

  /**
   * Provides the values of options that were not given, from environment variables. An empty
   * variable has no effect, as for all settings.
   *
   * @param environment returns the value of a variable
   * @param program the program's own provider of defaults, for all other options; null if there is
   *     none
   */
  record VariableDefaults(
      Function<String, @Nullable String> environment, @Nullable IDefaultValueProvider program)
      implements IDefaultValueProvider {

    /** The names of the variables, keyed by the main names of the options. */
    static final Map<String, String> VARIABLES =
        Map.of(
            "--leader-elect", "WINDLASS_LEADER_ELECTION",
            "--shards", "WINDLASS_SHARDS",
            "--metrics-bind-address", "WINDLASS_METRICS_BIND_ADDRESS",
            "--health-probe-bind-address", "WINDLASS_HEALTH_BIND_ADDRESS",
            "--log-level", "WINDLASS_LOG_LEVEL");

    @Override
    public @Nullable String defaultValue(ArgSpec argument) throws Exception {
      Optional<String> value =
          argument instanceof OptionSpec option
              ? Optional.ofNullable(VARIABLES.get(option.names()[0]))
                  .map(environment)
                  .map(String::strip)
                  .filter(text -> !text.isEmpty())
              : Optional.empty();
      if (value.isPresent() || program == null) {
        return value.orElse(null);
      }
      return program.defaultValue(argument);
    }
  }
}
