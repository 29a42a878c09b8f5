// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.kubeconfig.ClientConfig;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.shutdown.StopSequence;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A setting that can be changed from outside the program, by a system property or an environment
 * variable. The system property takes precedence over the variable. Values that the program sets on
 * the {@link ManagerBuilder} take precedence over both. This type is public so that a program can
 * list the settings in its help text.
 */
public enum Setting {
  /** The kubeconfig file, which contains the API server's address and the program's credentials. */
  KUBECONFIG(
      "kubeconfig",
      new Type("a file", Path::of),
      "`KUBECONFIG`, `~/.kube/config`, or the Pod's ServiceAccount",
      "kubeconfig"),
  /** The API server's address. */
  MASTER(
      "master",
      new Type("the address of the API server", ClientConfig::address),
      "that of the kubeconfig",
      "master"),
  /** The namespace to which caches are restricted. */
  NAMESPACE(
      "namespace",
      new Type("the namespace that caches are restricted to", WatchScope::namespace),
      "all namespaces",
      "namespace"),
  /** The time limit for stopping all components. */
  STOP_TIMEOUT("stop-timeout", Type.DURATION, StopSequence.STOP_TIMEOUT, "stopTimeout"),
  /** The time after which the server ends a watch; see {@link InformerOptions#withWatchTimeout}. */
  WATCH_TIMEOUT(
      "watch-timeout",
      new Type("a duration with a unit, from `10s` to `1h`", Type::watchTimeout),
      InformerOptions.defaults().watchTimeout(),
      "informerOptions"),
  /** Whether leader election among the replicas is enabled. */
  LEADER_ELECTION("leader-election", Type.FLAG, false, "leaderElection"),
  /** The name of the Lease for which the replicas compete. */
  LEASE_NAME(
      "leader-election.name",
      Type.text("the name of the Lease"),
      "none: it must be set to elect",
      "leaderElection"),
  /** The Lease's namespace. */
  LEASE_NAMESPACE(
      "leader-election.namespace",
      Type.text("the namespace of the Lease"),
      "that of the client",
      "leaderElection"),
  /** This replica's name in the Lease. */
  IDENTITY(
      "leader-election.identity",
      Type.text("the name of this replica"),
      "the host name",
      "leaderElection"),
  /** How long other replicas wait after the last observed renewal before one of them takes over. */
  LEASE_DURATION(
      "leader-election.lease-duration",
      Type.DURATION,
      Type.ELECTION.leaseDuration(),
      "leaderElection"),
  /**
   * How long the holder of the Lease remains the leader after the start of its last successful
   * renewal.
   */
  RENEW_DEADLINE(
      "leader-election.renew-deadline",
      Type.DURATION,
      Type.ELECTION.renewDeadline(),
      "leaderElection"),
  /** The interval at which the leader renews the Lease and other replicas read it. */
  RETRY_PERIOD(
      "leader-election.retry-period", Type.DURATION, Type.ELECTION.retryPeriod(), "leaderElection"),
  /** Whether the manager releases the Lease when it stops. */
  RELEASE_ON_STOP(
      "leader-election.release-on-stop",
      Type.FLAG,
      Type.ELECTION.releaseOnStop(),
      "leaderElection"),
  /** The manager's reaction when it loses the Lease; see {@link OnLeadershipLost}. */
  ON_LOST(
      "leader-election.on-lost",
      Type.choice(OnLeadershipLost.class),
      OnLeadershipLost.STOP,
      "onLeadershipLost"),
  /** The number of shards into which the objects of sharded controllers are divided. */
  SHARDS("shards", new Type("a number from 1 to 100", text -> Type.number(text, 100)), 1, "shards"),
  /** The address at which the health checks are served. */
  PROBE_ADDRESS("health.bind-address", Type.ADDRESS, "off", "healthProbeBindAddress"),
  /** The address at which metrics are served. */
  METRICS_ADDRESS("metrics.bind-address", Type.ADDRESS, "off", "metricsBindAddress"),
  /** The PEM file that contains the metrics endpoint's certificate. */
  METRICS_CERTIFICATE(
      "metrics.tls-certificate", new Type("a PEM file", Path::of), "none: no TLS", "metricsTls"),
  /** The PEM file that contains the private key for the metrics endpoint's certificate. */
  METRICS_KEY("metrics.tls-key", new Type("a PEM file", Path::of), "none: no TLS", "metricsTls"),
  /** Whether callers of the metrics endpoint must authenticate. */
  METRICS_AUTHENTICATION("metrics.authentication", Type.FLAG, false, "metricsAuthentication"),
  /** Whether the manager measures the durations and sizes of API server requests. */
  REQUEST_HISTOGRAMS("metrics.request-histograms", Type.FLAG, false, "requestHistograms"),
  /**
   * How long all of a controller's workers must be blocked before the controller counts as wedged;
   * see {@link ManagerBuilder#wedgedWorkers}.
   */
  WEDGED_AFTER("health.wedged-after", Type.DURATION, Duration.ofSeconds(60), "wedgedWorkers"),
  /** The manager's reaction to a wedged controller; see {@link OnWedged}. */
  ON_WEDGED("health.on-wedged", Type.choice(OnWedged.class), OnWedged.REPORT, "wedgedWorkers"),
  /** The number of Kubernetes Events that each recorder may send per second. */
  EVENTS_PER_SECOND(
      "events.per-second",
      new Type("a number from 1 to 1000", text -> Type.number(text, 1000)),
      EventBroadcaster.PER_SECOND,
      "eventsPerSecond");

  /**
   * The values that a setting accepts.
   *
   * @param accepted a description, in which literal values are enclosed in backticks
   * @param parse returns the value, or null if the text is not one; an {@link
   *     IllegalArgumentException} states why it is not
   */
  record Type(String accepted, Function<String, ? extends @Nullable Object> parse) {

    static final Type DURATION =
        new Type(
            "a positive duration with a unit, such as `30s`, `2m`, `500ms` or `PT30S`",
            Type::duration);
    static final Type FLAG =
        new Type(
            "`true` or `false`",
            text ->
                (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"))
                    ? Boolean.valueOf(text)
                    : null);
    static final Type ADDRESS =
        new Type(
            "an address, such as `:8081` or `127.0.0.1:8080`; `0` for none", BindAddress::parse);
    static final LeaderElectionOptions ELECTION = LeaderElectionOptions.of("any");

    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    static Type text(String accepted) {
      return new Type(accepted, text -> text);
    }

    static <E extends Enum<E>> Type choice(Class<E> type) {
      List<E> all = List.of(type.getEnumConstants());
      return new Type(
          all.stream().map(each -> "`" + shown(each) + "`").collect(Collectors.joining(" or ")),
          text ->
              all.stream()
                  .filter(each -> shown(each).equalsIgnoreCase(text))
                  .findFirst()
                  .orElse(null));
    }

    private static @Nullable Duration duration(String text) {
      Matcher brief = SHORT.matcher(text);
      String iso =
          !brief.matches()
              ? text
              : brief.group(2).equals("ms")
                  ? "PT" + Long.parseLong(brief.group(1)) / 1e3 + "S"
                  : "PT" + text;
      try {
        Duration duration = Duration.parse(iso);
        return duration.isNegative() || duration.isZero() ? null : duration;
      } catch (DateTimeParseException e) {
        return null;
      }
    }

    private static @Nullable Duration watchTimeout(String text) {
      Duration timeout = duration(text);
      return timeout == null
          ? null
          : InformerOptions.defaults().withWatchTimeout(timeout).watchTimeout();
    }

    private static @Nullable Integer number(String text, int most) {
      try {
        int number = Integer.parseInt(text);
        return number >= 1 && number <= most ? number : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  private final String name;

  @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
  private final Type type;

  @SuppressWarnings("ImmutableEnumChecker") // a text, a duration, a number, a flag or a choice
  private final Object byDefault;

  private final String method;

  /**
   * Creates a setting.
   *
   * @param byDefault the default value, or a text that describes it if it is not always the same
   * @param method the method of {@link ManagerBuilder} that sets the value
   */
  Setting(String name, Type type, Object byDefault, String method) {
    this.name = name;
    this.type = type;
    this.byDefault = byDefault;
    this.method = method;
  }

  /** Returns the system property's name, such as {@code windlass.stop-timeout}. */
  public String property() {
    return "windlass." + name;
  }

  /** Returns the environment variable's name, such as {@code WINDLASS_STOP_TIMEOUT}. */
  public String variable() {
    return "WINDLASS_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * Returns options for leader election with the values of this process's settings, such as {@code
   * WINDLASS_LEADER_ELECTION_LEASE_DURATION}. This method is intended for programs that enable
   * leader election themselves, such as with a command-line option.
   *
   * @param defaults the options that provide the values that are not set
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  public static LeaderElectionOptions leaderElection(LeaderElectionOptions defaults) {
    return EnvironmentSettings.ofProcess().election(defaults);
  }

  /**
   * Returns a description of the accepted values, in which literal values are enclosed in
   * backticks.
   */
  public String accepted() {
    return type.accepted();
  }

  /** Returns a description of the default value. */
  public String byDefault() {
    return shown(byDefault);
  }

  private static String shown(Object value) {
    if (value instanceof Duration duration) {
      return duration.toSeconds() + " s";
    }
    return value instanceof Enum<?> choice
        ? choice.name().toLowerCase(Locale.ROOT).replace('_', '-')
        : value.toString();
  }

  Type type() {
    return type;
  }

  /** Returns the default value, which the setting must have. */
  Object defaultValue() {
    return byDefault;
  }

  String method() {
    return method;
  }
}
