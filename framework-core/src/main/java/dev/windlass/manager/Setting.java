// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.LeaderElectionOptions;
import java.util.Locale;

/**
 * A setting that can be changed from outside the program, by a system property or an environment
 * variable. The system property takes precedence over the variable. Values that the program sets on
 * the {@link ManagerBuilder} take precedence over both. This type is public so that a program can
 * list the settings in its help text.
 */
public enum Setting {
  /** The kubeconfig file, which contains the API server's address and the program's credentials. */
  KUBECONFIG("kubeconfig", "a file", "`KUBECONFIG`, `~/.kube/config`, or the Pod's ServiceAccount"),
  /** The API server's address. */
  MASTER("master", "the address of the API server", "that of the kubeconfig"),
  /** The namespace to which caches are restricted. */
  NAMESPACE("namespace", "the namespace that caches are restricted to", "all namespaces"),
  /** The time limit for stopping all components. */
  STOP_TIMEOUT("stop-timeout", EnvironmentSettings.DURATION, "25 s"),
  /** The time after which the server ends a watch; see {@link InformerOptions#withWatchTimeout}. */
  WATCH_TIMEOUT("watch-timeout", "a duration with a unit, from `10s` to `1h`", "20 s"),
  /** Whether leader election among the replicas is enabled. */
  LEADER_ELECTION("leader-election", EnvironmentSettings.FLAG, "false"),
  /** The name of the Lease for which the replicas compete. */
  LEASE_NAME("leader-election.name", "the name of the Lease", "none: it must be set to elect"),
  /** The Lease's namespace. */
  LEASE_NAMESPACE("leader-election.namespace", "the namespace of the Lease", "that of the client"),
  /** This replica's name in the Lease. */
  IDENTITY("leader-election.identity", "the name of this replica", "the host name"),
  /** How long other replicas wait after the last observed renewal before one of them takes over. */
  LEASE_DURATION("leader-election.lease-duration", EnvironmentSettings.DURATION, "15 s"),
  /**
   * How long the holder of the Lease remains the leader after the start of its last successful
   * renewal.
   */
  RENEW_DEADLINE("leader-election.renew-deadline", EnvironmentSettings.DURATION, "10 s"),
  /** The interval at which the leader renews the Lease and other replicas read it. */
  RETRY_PERIOD("leader-election.retry-period", EnvironmentSettings.DURATION, "2 s"),
  /** Whether the manager releases the Lease when it stops. */
  RELEASE_ON_STOP("leader-election.release-on-stop", EnvironmentSettings.FLAG, "true"),
  /** The manager's reaction when it loses the Lease; see {@link OnLeadershipLost}. */
  ON_LOST("leader-election.on-lost", "`stop` or `stand-by`", "stop"),
  /** The address at which the health checks are served. */
  PROBE_ADDRESS("health.bind-address", EnvironmentSettings.ADDRESS, "off"),
  /** The address at which metrics are served. */
  METRICS_ADDRESS("metrics.bind-address", EnvironmentSettings.ADDRESS, "off"),
  /** The PEM file that contains the metrics endpoint's certificate. */
  METRICS_CERTIFICATE("metrics.tls-certificate", "a PEM file", "none: no TLS"),
  /** The PEM file that contains the private key for the metrics endpoint's certificate. */
  METRICS_KEY("metrics.tls-key", "a PEM file", "none: no TLS"),
  /** Whether callers of the metrics endpoint must authenticate. */
  METRICS_AUTHENTICATION("metrics.authentication", EnvironmentSettings.FLAG, "false"),
  /** Whether the manager measures the durations and sizes of API server requests. */
  REQUEST_HISTOGRAMS("metrics.request-histograms", EnvironmentSettings.FLAG, "false"),
  /**
   * How long all of a controller's workers must be blocked before the controller counts as wedged;
   * see {@link ManagerBuilder#wedgedWorkers}.
   */
  WEDGED_AFTER("health.wedged-after", EnvironmentSettings.DURATION, "60 s"),
  /** The manager's reaction to a wedged controller; see {@link OnWedged}. */
  ON_WEDGED("health.on-wedged", "`report` or `give-up-leadership`", "report"),
  /** The number of Kubernetes Events that each recorder may send per second. */
  EVENTS_PER_SECOND("events.per-second", "a number from 1 to 1000", "50");

  private final String name;
  private final String accepted;
  private final String byDefault;

  Setting(String name, String accepted, String byDefault) {
    this.name = name;
    this.accepted = accepted;
    this.byDefault = byDefault;
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
    return accepted;
  }

  /** Returns a description of the default value. */
  public String byDefault() {
    return byDefault;
  }
}
