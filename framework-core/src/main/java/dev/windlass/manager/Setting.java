// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.Locale;

/**
 * What may be set from outside of the program, by a system property or in the environment. What the
 * program itself tells the {@link ManagerBuilder} comes before both. Public so that a program can
 * list them in its help.
 */
public enum Setting {
  /** Where the API server is, and who this program is. */
  KUBECONFIG("kubeconfig", "a file", "`KUBECONFIG`, `~/.kube/config`, or the Pod's ServiceAccount"),
  /** The address of the API server alone. */
  MASTER("master", "the address of the API server", "that of the kubeconfig"),
  /** The one namespace that is watched. */
  NAMESPACE("namespace", "the namespace that caches are restricted to", "all namespaces"),
  /** How long a stop may take as a whole. */
  STOP_TIMEOUT("stop-timeout", Settings.DURATION, "25 s"),
  /** Whether replicas elect a leader. */
  LEADER_ELECTION("leader-election", Settings.FLAG, "false"),
  /** Which Lease they compete for. */
  LEASE_NAME("leader-election.name", "the name of the Lease", "none: it must be set to elect"),
  /** Where that Lease is. */
  LEASE_NAMESPACE("leader-election.namespace", "the namespace of the Lease", "that of the client"),
  /** Under which name this replica competes. */
  IDENTITY("leader-election.identity", "what this replica is called", "the name of the host"),
  /** How long others wait for a holder that no longer renews. */
  LEASE_DURATION("leader-election.lease-duration", Settings.DURATION, "15 s"),
  /** How long the holder tries to renew before it gives up. */
  RENEW_DEADLINE("leader-election.renew-deadline", Settings.DURATION, "10 s"),
  /** How often the Lease is looked at. */
  RETRY_PERIOD("leader-election.retry-period", Settings.DURATION, "2 s"),
  /** Whether the Lease is given back at the end. */
  RELEASE_ON_STOP("leader-election.release-on-stop", Settings.FLAG, "true"),
  /** What happens when the Lease is lost. */
  ON_LOST("leader-election.on-lost", "`stop` or `stand-by`", "stop"),
  /** Where health is served. */
  PROBE_ADDRESS("health.bind-address", Settings.ADDRESS, "off"),
  /** Where metrics are served. */
  METRICS_ADDRESS("metrics.bind-address", Settings.ADDRESS, "off"),
  /** The certificate with which metrics are served. */
  METRICS_CERTIFICATE("metrics.tls-certificate", "a PEM file", "none: no TLS"),
  /** The key of that certificate. */
  METRICS_KEY("metrics.tls-key", "a PEM file", "none: no TLS"),
  /** Whether readers of metrics must say who they are. */
  METRICS_AUTHENTICATION("metrics.authentication", Settings.FLAG, "false"),
  /** Whether requests to API servers are timed and weighed. */
  REQUEST_HISTOGRAMS("metrics.request-histograms", Settings.FLAG, "false"),
  /** How long all workers may be held before the controller counts as wedged. */
  WEDGED_AFTER("health.wedged-after", Settings.DURATION, "10 min"),
  /** What happens then. */
  ON_WEDGED("health.on-wedged", "`report` or `give-up-leadership`", "report"),
  /** How many Kubernetes Events may be sent. */
  EVENTS_PER_SECOND("events.per-second", "a number from 1 to 1000", "50");

  private final String name;
  private final String accepted;
  private final String byDefault;

  Setting(String name, String accepted, String byDefault) {
    this.name = name;
    this.accepted = accepted;
    this.byDefault = byDefault;
  }

  /** The system property, such as {@code windlass.stop-timeout}. */
  public String property() {
    return "windlass." + name;
  }

  /** The environment variable, such as {@code WINDLASS_STOP_TIMEOUT}. */
  public String variable() {
    return "WINDLASS_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** What it takes, in words; values stand between backticks. */
  public String accepted() {
    return accepted;
  }

  /** What holds if nobody sets it, in words. */
  public String byDefault() {
    return byDefault;
  }
}
