// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.LeaderElectionOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Finds external settings, such as environment variables, that have no effect, and explains the
 * reason for each in a sentence. A setting is not reported if the program has set the same value.
 * This class is not thread-safe.
 */
final class UnusedSettings {

  private final ManagerBuilder program;
  private final EnvironmentSettings outside;
  private final List<String> sentences = new ArrayList<>();

  private UnusedSettings(ManagerBuilder program, EnvironmentSettings outside) {
    this.program = program;
    this.outside = outside;
  }

  /**
   * Logs a warning for each setting that has no effect, including misspelt names.
   *
   * @param elects whether the manager takes part in an election
   */
  static void warn(Logger log, ManagerBuilder program, boolean elects) {
    MisspeltSettings.of(System.getenv().keySet(), System.getProperties().stringPropertyNames())
        .forEach(log::warn);
    of(program, elects).forEach(log::warn);
  }

  /**
   * Returns a sentence for each setting that has no effect.
   *
   * @param elects whether the manager takes part in an election
   */
  static List<String> of(ManagerBuilder program, boolean elects) {
    UnusedSettings unused = new UnusedSettings(program, program.settings);
    unused.connection();
    unused.manager(elects);
    unused.election();
    unused.endpoints();
    unused.sentences.addAll(program.settings.shadowed());
    return unused.sentences;
  }

  private void connection() {
    String call =
        program.given != null
            ? "client"
            : program.access.config != null
                ? "config"
                : program.access.kubeconfig != null
                    ? "kubeconfig"
                    : program.access.master != null ? "master" : null;
    if (call != null) {
      Path file = program.access.kubeconfig;
      String master = program.access.master;
      overridden(Setting.KUBECONFIG, call, file == null ? "" : file.toString(), outside::text);
      overridden(Setting.MASTER, call, master == null ? "" : master, outside::text);
    }
  }

  private void manager(boolean elects) {
    overridden(Setting.NAMESPACE, "namespace", program.scope, setting -> outside.scope());
    overridden(Setting.STOP_TIMEOUT, "stopTimeout", program.stopTimeout, outside::duration);
    overridden(
        Setting.WATCH_TIMEOUT,
        "informerOptions",
        EnvironmentSettings.watchTimeoutOf(program.informerOptions).orElse(null),
        setting -> outside.watchTimeout());
    overridden(
        Setting.EVENTS_PER_SECOND,
        "eventsPerSecond",
        program.eventsPerSecond,
        setting -> outside.number(setting, 1, 1000));
    overridden(Setting.ON_LOST, "onLeadershipLost", program.onLost, setting -> outside.onLost());
    if (program.onLost == null && !elects) {
      idle(Setting.ON_LOST, "this program elects no leader");
    }
  }

  private void election() {
    LeaderElectionOptions chosen = program.leaderElection;
    if (chosen != null) {
      String call = "leaderElection";
      overridden(Setting.LEADER_ELECTION, call, true, outside::flag);
      overridden(Setting.LEASE_NAME, call, chosen.name(), outside::text);
      overridden(Setting.LEASE_NAMESPACE, call, chosen.namespace(), outside::text);
      overridden(Setting.IDENTITY, call, chosen.identity(), outside::text);
      overridden(Setting.LEASE_DURATION, call, chosen.leaseDuration(), outside::duration);
      overridden(Setting.RENEW_DEADLINE, call, chosen.renewDeadline(), outside::duration);
      overridden(Setting.RETRY_PERIOD, call, chosen.retryPeriod(), outside::duration);
      overridden(Setting.RELEASE_ON_STOP, call, chosen.releaseOnStop(), outside::flag);
    } else if (!outside.flag(Setting.LEADER_ELECTION).orElse(false)) {
      for (Setting setting :
          List.of(
              Setting.LEASE_NAME,
              Setting.LEASE_NAMESPACE,
              Setting.IDENTITY,
              Setting.LEASE_DURATION,
              Setting.RENEW_DEADLINE,
              Setting.RETRY_PERIOD,
              Setting.RELEASE_ON_STOP)) {
        idle(setting, Setting.LEADER_ELECTION.property() + " is not true");
      }
    }
  }

  private void endpoints() {
    EndpointSettings chosen = program.endpoints;
    overridden(Setting.PROBE_ADDRESS, "healthProbeBindAddress", chosen.probes, outside::text);
    overridden(Setting.METRICS_ADDRESS, "metricsBindAddress", chosen.metrics, outside::text);
    overridden(
        Setting.REQUEST_HISTOGRAMS, "requestHistograms", chosen.requestHistograms, outside::flag);
    overridden(Setting.WEDGED_AFTER, "wedgedWorkers", chosen.wedgedAfter, outside::duration);
    overridden(Setting.ON_WEDGED, "wedgedWorkers", chosen.onWedged, setting -> outside.onWedged());
    if (chosen.metrics().isEmpty()) {
      for (Setting setting :
          Set.of(
              Setting.METRICS_CERTIFICATE, Setting.METRICS_KEY, Setting.METRICS_AUTHENTICATION)) {
        idle(setting, "metrics are not served");
      }
      return;
    }
    overridden(
        Setting.METRICS_AUTHENTICATION,
        "metricsAuthentication",
        chosen.authentication,
        outside::flag);
    if (chosen.certificate != null) {
      overridden(Setting.METRICS_CERTIFICATE, "metricsTls", "", outside::text);
      overridden(Setting.METRICS_KEY, "metricsTls", "", outside::text);
    }
  }

  /**
   * Adds a sentence if the program has set a value and the external setting has a different value.
   *
   * @param call the builder method that set the value
   * @param value the value; null if the program has not set one
   */
  private void overridden(
      Setting setting,
      String call,
      @Nullable Object value,
      Function<Setting, ? extends Optional<?>> reading) {
    if (value != null && !isSame(value, setting, reading)) {
      idle(setting, "the program calls " + call + "(...), which takes precedence");
    }
  }

  private static boolean isSame(
      Object value, Setting setting, Function<Setting, ? extends Optional<?>> reading) {
    try {
      return reading.apply(setting).filter(value::equals).isPresent();
    } catch (InvalidSettingException e) {
      return false; // an invalid value has no effect either
    }
  }

  private void idle(Setting setting, String why) {
    outside
        .source(setting)
        .ifPresent(source -> sentences.add(source + EnvironmentSettings.NO_EFFECT + why));
  }
}
