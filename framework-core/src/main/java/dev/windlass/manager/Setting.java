// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.Locale;

/**
 * A setting that can be made outside the program, by a system property or an environment variable.
 * Values that the program sets on the {@link ManagerBuilder} take precedence over both. Public so
 * that a program can list the settings in its help.
 */
public enum Setting {
  /** The kubeconfig file: the address of the API server, and the credentials of this program. */
  KUBECONFIG("kubeconfig", "a file", "`KUBECONFIG`, `~/.kube/config`, or the Pod's ServiceAccount"),
  /** Only the address of the API server. */
  MASTER("master", "the address of the API server", "that of the kubeconfig"),
  /** The one namespace that is watched. */
  NAMESPACE("namespace", "the namespace that caches are restricted to", "all namespaces"),
  /** How long a stop may take in total. */
  STOP_TIMEOUT("stop-timeout", ExternalSettings.DURATION, "25 s"),
  /** Whether replicas elect a leader. */
  LEADER_ELECTION("leader-election", ExternalSettings.FLAG, "false"),
  /** The name of the Lease that they compete for. */
  LEASE_NAME("leader-election.name", "the name of the Lease", "none: it must be set to elect"),
  /** The namespace of that Lease. */
  LEASE_NAMESPACE("leader-election.namespace", "the namespace of the Lease", "that of the client"),
  /** The name of this replica in the Lease. */
  IDENTITY("leader-election.identity", "the name of this replica", "the host name"),
  /** How long other replicas wait after the last renewal before one of them takes over. */
  LEASE_DURATION("leader-election.lease-duration", ExternalSettings.DURATION, "15 s"),
  /** How long the holder tries to renew before it gives up. */
  RENEW_DEADLINE("leader-election.renew-deadline", ExternalSettings.DURATION, "10 s"),
  /** How often the Lease is renewed or read. */
  RETRY_PERIOD("leader-election.retry-period", ExternalSettings.DURATION, "2 s"),
  /** Whether the Lease is released on stop. */
  RELEASE_ON_STOP("leader-election.release-on-stop", ExternalSettings.FLAG, "true"),
  /** What the manager does when it loses the Lease. */
  ON_LOST("leader-election.on-lost", "`stop` or `stand-by`", "stop"),
  /** Where the health checks are served. */
  PROBE_ADDRESS("health.bind-address", ExternalSettings.ADDRESS, "off"),
  /** Where metrics are served. */
  METRICS_ADDRESS("metrics.bind-address", ExternalSettings.ADDRESS, "off"),
  /** The certificate with which metrics are served. */
  METRICS_CERTIFICATE("metrics.tls-certificate", "a PEM file", "none: no TLS"),
  /** The key of that certificate. */
  METRICS_KEY("metrics.tls-key", "a PEM file", "none: no TLS"),
  /** Whether callers of the metrics endpoint must authenticate. */
  METRICS_AUTHENTICATION("metrics.authentication", ExternalSettings.FLAG, "false"),
  /** Whether the duration and size of requests to API servers are measured. */
  REQUEST_HISTOGRAMS("metrics.request-histograms", ExternalSettings.FLAG, "false"),
  /** How long all workers may be held before their controller counts as wedged. */
  WEDGED_AFTER("health.wedged-after", ExternalSettings.DURATION, "10 min"),
  /** What the manager does then. */
  ON_WEDGED("health.on-wedged", "`report` or `give-up-leadership`", "report"),
  /** How many Kubernetes Events each recorder may send per second. */
  EVENTS_PER_SECOND("events.per-second", "a number from 1 to 1000", "50");

  private final String name;
  private final String accepted;
  private final String byDefault;

  Setting(String name, String accepted, String byDefault) {
    this.name = name;
    this.accepted = accepted;
    this.byDefault = byDefault;
  }

  /** Returns the system property, such as {@code windlass.stop-timeout}. */
  public String property() {
    return "windlass." + name;
  }

  /** Returns the environment variable, such as {@code WINDLASS_STOP_TIMEOUT}. */
  public String variable() {
    return "WINDLASS_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Returns the accepted values, in words; literal values are in backticks. */
  public String accepted() {
    return accepted;
  }

  /** Returns the default, in words. */
  public String byDefault() {
    return byDefault;
  }
}
