// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.clientconfig.ClientConfig;
import dev.windlass.manager.shutdown.StopSequence;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings from the program's environment: system properties and, if there is no property for a
 * setting, environment variables. Values that the program sets take precedence over both.
 */
final class EnvironmentSettings {

  static final String DURATION =
      "a positive duration with a unit, such as `30s`, `2m`, `500ms` or `PT30S`";
  static final String ADDRESS = "an address, such as `:8081` or `127.0.0.1:8080`; `0` for none";
  static final String FLAG = "`true` or `false`";

  static final String NO_EFFECT = " has no effect, because ";

  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** The value of a setting, and its source. */
  private record GivenValue(Setting setting, String value, String source) {

    InvalidSettingException refused() {
      return new InvalidSettingException(
          "%s is '%s'; it must be %s"
              .formatted(source, value, setting.accepted().replace("`", "'")));
    }

    InvalidSettingException refused(IllegalArgumentException why) {
      return new InvalidSettingException(source + " can't be used: " + why.getMessage(), why);
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

  /** Returns this process's settings. */
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
   * Rejects invalid values. The manager calls this method before it creates any resources.
   * Otherwise, the error for an invalid kubeconfig could hide the errors for these values.
   *
   * @throws InvalidSettingException if a value is invalid; the message names the value, its source
   *     and the accepted values
   */
  void check() {
    var unused =
        List.of(
            scope(),
            master(),
            duration(Setting.STOP_TIMEOUT),
            watchTimeout(),
            eventsPerSecond(),
            onLost());
  }

  /**
   * Returns the time limit for stopping all components, or the default if the setting has no value.
   */
  Duration stopTimeout() {
    return duration(Setting.STOP_TIMEOUT).orElse(StopSequence.STOP_TIMEOUT);
  }

  /**
   * Returns the scope of watches, limited to the configured namespace. The result is empty if the
   * setting has no value.
   */
  Optional<WatchScope> scope() {
    return checked(Setting.NAMESPACE, WatchScope::namespace);
  }

  /** Returns the time after which the server ends a watch. */
  Optional<Duration> watchTimeout() {
    return given(Setting.WATCH_TIMEOUT)
        .map(
            given -> {
              Duration timeout = duration(given);
              try {
                return InformerOptions.defaults().withWatchTimeout(timeout).watchTimeout();
              } catch (IllegalArgumentException e) {
                throw given.refused(e);
              }
            });
  }

  /** Returns the program's options, with the configured watch time-out if they have the default. */
  InformerOptions with(InformerOptions program) {
    return watchTimeoutOf(program)
        .or(this::watchTimeout)
        .map(program::withWatchTimeout)
        .orElse(program);
  }

  /** Returns the watch time-out of the options, if it is not the default. */
  static Optional<Duration> watchTimeoutOf(InformerOptions options) {
    Duration byDefault = InformerOptions.defaults().watchTimeout();
    return Optional.of(options.watchTimeout()).filter(own -> !own.equals(byDefault));
  }

  /** Returns the address of the API server. */
  Optional<String> master() {
    return checked(Setting.MASTER, ClientConfig::address);
  }

  /** Returns an address to listen on, or empty if there is none. */
  Optional<BindAddress> address(Setting setting) {
    return checked(setting, BindAddress::parse).flatMap(address -> address);
  }

  /**
   * Returns the name under which a setting was given, or the name of its variable if it was not.
   */
  String name(Setting setting) {
    return given(setting).map(GivenValue::source).orElse(setting.variable());
  }

  private <T> Optional<T> checked(Setting setting, Function<String, T> reading) {
    return given(setting)
        .map(
            given -> {
              try {
                return reading.apply(given.value());
              } catch (IllegalArgumentException e) {
                throw given.refused(e);
              }
            });
  }

  Optional<String> text(Setting setting) {
    return given(setting).map(GivenValue::value);
  }

  /**
   * Returns the value of a setting as a duration.
   *
   * @throws InvalidSettingException if the value is invalid; the message names the value, its
   *     source and the accepted values
   */
  Optional<Duration> duration(Setting setting) {
    return given(setting).map(EnvironmentSettings::duration);
  }

  private static Duration duration(GivenValue given) {
    Matcher brief = SHORT.matcher(given.value());
    if (brief.matches()) {
      long number = Long.parseLong(brief.group(1));
      Duration duration =
          switch (brief.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
          };
      return positive(duration, given);
    }
    try {
      return positive(Duration.parse(given.value()), given);
    } catch (DateTimeParseException e) {
      throw given.refused();
    }
  }

  private static Duration positive(Duration duration, GivenValue given) {
    if (duration.isNegative() || duration.isZero()) {
      throw given.refused();
    }
    return duration;
  }

  /** Returns the value of a setting as a boolean; see {@link #duration}. */
  Optional<Boolean> flag(Setting setting) {
    return given(setting)
        .map(
            given ->
                switch (given.value().toLowerCase(Locale.ROOT)) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw given.refused();
                });
  }

  /**
   * Returns the value of a setting as an integer from {@code least} to {@code most}; see {@link
   * #duration}.
   */
  Optional<Integer> number(Setting setting, int least, int most) {
    return given(setting)
        .map(
            given -> {
              try {
                int number = Integer.parseInt(given.value());
                if (number >= least && number <= most) {
                  return number;
                }
              } catch (NumberFormatException e) {
                // Reject the value below, in the same way as a number out of range.
              }
              throw given.refused();
            });
  }

  /** Returns the number of Events that each recorder may send per second. */
  int eventsPerSecond() {
    return number(Setting.EVENTS_PER_SECOND, 1, 1000).orElse(EventBroadcaster.PER_SECOND);
  }

  /** Returns how the manager reacts when it loses a lease. */
  Optional<OnLeadershipLost> onLost() {
    return given(Setting.ON_LOST)
        .map(
            given ->
                switch (given.value().toLowerCase(Locale.ROOT)) {
                  case "stop" -> OnLeadershipLost.STOP;
                  case "stand-by" -> OnLeadershipLost.STAND_BY;
                  default -> throw given.refused();
                });
  }

  /** Returns how the manager reacts to a controller that no longer makes progress. */
  Optional<OnWedged> onWedged() {
    return given(Setting.ON_WEDGED)
        .map(
            given ->
                switch (given.value().toLowerCase(Locale.ROOT)) {
                  case "report" -> OnWedged.REPORT;
                  case "give-up-leadership" -> OnWedged.GIVE_UP_LEADERSHIP;
                  default -> throw given.refused();
                });
  }

  /**
   * Returns the options for leader election. The result is empty if leader election is disabled.
   *
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  Optional<LeaderElectionOptions> leaderElection() {
    if (!flag(Setting.LEADER_ELECTION).orElse(false)) {
      return Optional.empty();
    }
    GivenValue name =
        given(Setting.LEASE_NAME)
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "leader election is on, but the Lease has no name: set "
                            + Setting.LEASE_NAME.property()
                            + " or "
                            + Setting.LEASE_NAME.variable()));
    return Optional.of(election(LeaderElectionOptions.of(name.value())));
  }

  /**
   * Returns the given options with the values of the settings for leader election.
   *
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  LeaderElectionOptions election(LeaderElectionOptions defaults) {
    Duration lease = duration(Setting.LEASE_DURATION).orElse(defaults.leaseDuration());
    Duration renew = duration(Setting.RENEW_DEADLINE).orElse(defaults.renewDeadline());
    Duration retry = duration(Setting.RETRY_PERIOD).orElse(defaults.retryPeriod());
    boolean release = flag(Setting.RELEASE_ON_STOP).orElse(defaults.releaseOnStop());
    try {
      LeaderElectionOptions options =
          LeaderElectionOptions.of(text(Setting.LEASE_NAME).orElse(defaults.name()))
              .withNamespace(text(Setting.LEASE_NAMESPACE).orElse(defaults.namespace()))
              .withIdentity(text(Setting.IDENTITY).orElse(defaults.identity()))
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
}
