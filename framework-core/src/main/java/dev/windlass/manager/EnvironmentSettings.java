// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.LeaderElectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings from the program's environment: system properties and, if there is no property for a
 * setting, environment variables. Values that the program sets take precedence over both.
 */
final class EnvironmentSettings {

  static final String NO_EFFECT = " has no effect, because ";

  private record GivenValue(Setting setting, String value, String source) {

    Object parsed() {
      Object parsed;
      try {
        parsed = setting.type().parse().apply(value);
      } catch (IllegalArgumentException e) {
        throw new InvalidSettingException(source + " can't be used: " + e.getMessage(), e);
      }
      if (parsed == null) {
        throw new InvalidSettingException(
            "%s is '%s'; it must be %s"
                .formatted(source, value, setting.accepted().replace("`", "'")));
      }
      return parsed;
    }
  }

  private final String kind;
  private final Function<String, @Nullable String> properties;
  private final Function<String, @Nullable String> environment;

  /**
   * The process's settings. This field refers to this instance, unless this instance contains the
   * settings from a framework's configuration.
   */
  private final EnvironmentSettings process;

  EnvironmentSettings(
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment) {
    this("the system property ", properties, environment, null);
  }

  private EnvironmentSettings(
      String kind,
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment,
      @Nullable EnvironmentSettings process) {
    this.kind = kind;
    this.properties = properties;
    this.environment = environment;
    this.process = process == null ? this : process;
  }

  /**
   * Returns the settings in a framework's configuration. Each setting has the name of the
   * corresponding system property.
   */
  static EnvironmentSettings of(Function<String, @Nullable String> configuration) {
    return of(configuration, ofProcess());
  }

  /**
   * Returns the settings in a framework's configuration.
   *
   * @param process the process's settings. They have no effect, but {@link #shadowed} reports them
   */
  static EnvironmentSettings of(
      Function<String, @Nullable String> configuration, EnvironmentSettings process) {
    return new EnvironmentSettings("the setting ", configuration, name -> null, process);
  }

  static EnvironmentSettings ofProcess() {
    return new EnvironmentSettings(System::getProperty, System::getenv);
  }

  /**
   * Returns the source of a setting as the beginning of a sentence. The result is empty if the
   * setting has no value.
   */
  Optional<String> source(Setting setting) {
    return given(setting).map(given -> "T" + given.source().substring(1));
  }

  /**
   * Returns a sentence for each setting of the process that has no effect. A setting has no effect
   * if another source specifies a different value, or if the program reads its settings from
   * another source.
   */
  List<String> shadowed() {
    List<String> sentences = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      Optional<GivenValue> chosen = given(setting);
      for (GivenValue made : process.made(setting)) {
        if (chosen.isEmpty()) {
          sentences.add(
              "T" + made.source().substring(1) + NO_EFFECT + "the program calls settings(...)");
        } else if (!made.value().equals(chosen.get().value())) {
          sentences.add(
              "T"
                  + made.source().substring(1)
                  + NO_EFFECT
                  + chosen.get().source()
                  + " takes precedence");
        }
      }
    }
    return sentences;
  }

  /** Returns the values of a setting in system properties and environment variables. */
  private List<GivenValue> made(Setting setting) {
    return Stream.of(
            find(setting, properties, "the system property ", setting.property()),
            find(setting, environment, "the variable ", setting.variable()))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<GivenValue> given(Setting setting) {
    return find(setting, properties, kind, setting.property())
        .or(() -> find(setting, environment, "the variable ", setting.variable()));
  }

  private static Optional<GivenValue> find(
      Setting setting, Function<String, @Nullable String> from, String kind, String name) {
    return Optional.ofNullable(from.apply(name))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .map(value -> new GivenValue(setting, value, kind + name));
  }

  /**
   * Returns the value of a setting, which has the type that the setting parses.
   *
   * @throws InvalidSettingException if the value is invalid; the message names the value, its
   *     source and the accepted values
   */
  @SuppressWarnings("unchecked") // the caller knows the type of the setting
  <T> Optional<T> find(Setting setting) {
    return given(setting).map(given -> (T) given.parsed());
  }

  /**
   * Returns the name under which a setting was given, or the name of its variable if it was not.
   */
  String name(Setting setting) {
    return given(setting).map(GivenValue::source).orElse(setting.variable());
  }

  /**
   * Returns the options for leader election. The result is empty if leader election is disabled.
   *
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  Optional<LeaderElectionOptions> leaderElection() {
    if (!this.<Boolean>find(Setting.LEADER_ELECTION).orElse(false)) {
      return Optional.empty();
    }
    String name =
        this.<String>find(Setting.LEASE_NAME)
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "leader election is on, but the Lease has no name: set "
                            + Setting.LEASE_NAME.property()
                            + " or "
                            + Setting.LEASE_NAME.variable()));
    return Optional.of(election(LeaderElectionOptions.of(name)));
  }

  /**
   * Returns the given options with the values of the settings for leader election.
   *
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  LeaderElectionOptions election(LeaderElectionOptions defaults) {
    Duration lease = or(Setting.LEASE_DURATION, defaults.leaseDuration());
    Duration renew = or(Setting.RENEW_DEADLINE, defaults.renewDeadline());
    Duration retry = or(Setting.RETRY_PERIOD, defaults.retryPeriod());
    boolean release = or(Setting.RELEASE_ON_STOP, defaults.releaseOnStop());
    try {
      LeaderElectionOptions options =
          LeaderElectionOptions.of(or(Setting.LEASE_NAME, defaults.name()))
              .withNamespace(or(Setting.LEASE_NAMESPACE, defaults.namespace()))
              .withIdentity(or(Setting.IDENTITY, defaults.identity()))
              .withDurations(lease, renew, retry);
      return release ? options : options.withoutReleaseOnStop();
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(
          "the settings "
              + Setting.LEADER_ELECTION.property()
              + ".* can't be used: "
              + e.getMessage(),
          e);
    }
  }

  private <T> T or(Setting setting, T byDefault) {
    return this.<T>find(setting).orElse(byDefault);
  }
}
