// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.Locale;

/** What may be set from outside of the program, by a system property or in the environment. */
enum Setting {
  KUBECONFIG("kubeconfig", "a file", "`KUBECONFIG`, `~/.kube/config`, or the Pod's ServiceAccount"),
  MASTER("master", "the address of the API server", "that of the kubeconfig"),
  NAMESPACE("namespace", "the namespace that caches are restricted to", "all namespaces"),
  STOP_TIMEOUT("stop-timeout", Settings.DURATION, "25 s"),
  LEADER_ELECTION("leader-election", Settings.FLAG, "false"),
  LEASE_NAME("leader-election.name", "the name of the Lease", "none: it must be set to elect"),
  LEASE_NAMESPACE("leader-election.namespace", "the namespace of the Lease", "that of the client"),
  IDENTITY("leader-election.identity", "what this replica is called", "the name of the host"),
  LEASE_DURATION("leader-election.lease-duration", Settings.DURATION, "15 s"),
  RENEW_DEADLINE("leader-election.renew-deadline", Settings.DURATION, "10 s"),
  RETRY_PERIOD("leader-election.retry-period", Settings.DURATION, "2 s"),
  RELEASE_ON_STOP("leader-election.release-on-stop", Settings.FLAG, "true"),
  ON_LOST("leader-election.on-lost", "`stop` or `stand-by`", "stop"),
  PROBE_ADDRESS("health.bind-address", Settings.ADDRESS, "off"),
  METRICS_ADDRESS("metrics.bind-address", Settings.ADDRESS, "off"),
  METRICS_CERTIFICATE("metrics.tls-certificate", "a PEM file", "none: no TLS"),
  METRICS_KEY("metrics.tls-key", "a PEM file", "none: no TLS"),
  METRICS_AUTHENTICATION("metrics.authentication", Settings.FLAG, "false"),
  WEDGED_AFTER("health.wedged-after", Settings.DURATION, "10 min"),
  ON_WEDGED("health.on-wedged", "`report` or `give-up-leadership`", "report"),
  EVENTS_PER_SECOND("events.per-second", "a number from 1 to 1000", "50");

  private final String name;
  private final String accepted;
  private final String byDefault;

  Setting(String name, String accepted, String byDefault) {
    this.name = name;
    this.accepted = accepted;
    this.byDefault = byDefault;
  }

  /** The system property. */
  String property() {
    return "windlass." + name;
  }

  /** The environment variable. */
  String variable() {
    return "WINDLASS_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** What it takes, in words. */
  String accepted() {
    return accepted;
  }

  /** The line of the documentation. */
  String row() {
    return "| `%s` | `%s` | %s | %s |".formatted(property(), variable(), accepted, byDefault);
  }
}
