// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.httpserver.BindAddress;
import dev.windlass.httpserver.ServerCertificate;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.ShardOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of all {@link Setting}s: those that the program has set on a {@link ManagerBuilder},
 * or else those from outside the program. This class is not thread-safe.
 */
final class Settings {

  /** They have no effect unless {@link Setting#LEADER_ELECTION} is on. */
  private static final Set<Setting> OF_ELECTION =
      EnumSet.of(
          Setting.LEASE_NAME,
          Setting.LEASE_NAMESPACE,
          Setting.IDENTITY,
          Setting.LEASE_DURATION,
          Setting.RENEW_DEADLINE,
          Setting.RETRY_PERIOD,
          Setting.RELEASE_ON_STOP,
          Setting.SHARDS);

  /** They have no effect unless metrics are served. */
  private static final Set<Setting> OF_METRICS =
      EnumSet.of(Setting.METRICS_CERTIFICATE, Setting.METRICS_KEY, Setting.METRICS_AUTHENTICATION);

  private final Map<Setting, Object> program = new EnumMap<>(Setting.class);
  private @Nullable LeaderElectionOptions election;
  private @Nullable ShardOptions shards;
  private EnvironmentSettings outside = EnvironmentSettings.ofProcess();

  /**
   * The method of the builder that determines the API server and the credentials; null if they come
   * from outside.
   */
  private @Nullable String connection;

  void setOutside(EnvironmentSettings others) {
    outside = others;
  }

  /** Sets a value of the program, or removes it. */
  void set(Setting setting, @Nullable Object value) {
    if (value == null) {
      program.remove(setting);
    } else {
      program.put(setting, value);
    }
  }

  /**
   * Returns a copy of these settings for a manager whose connection the given method determines.
   */
  Settings copy(@Nullable String connectedBy) {
    Settings copy = new Settings();
    copy.program.putAll(program);
    copy.election = election;
    copy.shards = shards;
    copy.outside = outside;
    copy.connection = connectedBy;
    return copy;
  }

  void setShards(ShardOptions options) {
    setElection(options.election());
    set(Setting.SHARDS, options.number());
    shards = options;
  }

  void setElection(LeaderElectionOptions options) {
    election = options;
    shards = null;
    set(Setting.LEADER_ELECTION, true);
    set(Setting.LEASE_NAME, options.name());
    set(Setting.LEASE_NAMESPACE, options.namespace());
    set(Setting.IDENTITY, options.identity());
    set(Setting.LEASE_DURATION, options.leaseDuration());
    set(Setting.RENEW_DEADLINE, options.renewDeadline());
    set(Setting.RETRY_PERIOD, options.retryPeriod());
    set(Setting.RELEASE_ON_STOP, options.releaseOnStop());
  }

  boolean isOfProgram(Setting setting) {
    return program.containsKey(setting);
  }

  /**
   * Returns the value of a setting, which has the type that the setting parses.
   *
   * @throws InvalidSettingException if the value is invalid
   */
  @SuppressWarnings("unchecked") // the caller knows the type of the setting
  <T> Optional<T> find(Setting setting) {
    Object own = program.get(setting);
    return own != null ? Optional.of((T) own) : outside.find(setting);
  }

  <T> T get(Setting setting, Class<T> type) {
    return type.cast(find(setting).orElseGet(setting::defaultValue));
  }

  Optional<BindAddress> address(Setting setting) {
    return this.<Optional<BindAddress>>find(setting).flatMap(address -> address);
  }

  Optional<LeaderElectionOptions> election() {
    return Optional.ofNullable(election).or(outside::leaderElection);
  }

  /**
   * Returns the options of the shards, if there are several.
   *
   * @throws InvalidSettingException if the program must stop when it loses a lease
   */
  Optional<ShardOptions> shards() {
    int number = get(Setting.SHARDS, Integer.class);
    Optional<LeaderElectionOptions> elected = number == 1 ? Optional.empty() : election();
    if (elected.isEmpty()) {
      return Optional.empty();
    }
    ShardOptions options =
        Optional.ofNullable(shards)
            .orElseGet(
                () ->
                    ShardOptions.of(elected.get().name())
                        .withElection(
                            byDefault ->
                                Optional.ofNullable(election)
                                    .orElseGet(() -> outside.election(byDefault)))
                        .withShards(number));
    if (find(Setting.ON_LOST).equals(Optional.of(OnLeadershipLost.STOP))) {
      throw new InvalidSettingException(
          "a program with "
              + options
              + " can't stop when it loses the lease of one: leave onLeadershipLost(STOP) and "
              + Setting.ON_LOST.variable()
              + " out");
    }
    return Optional.of(options);
  }

  /** Returns the certificate of the metrics endpoint, if there is one. */
  Optional<ServerCertificate> certificate() {
    Optional<Path> chain = find(Setting.METRICS_CERTIFICATE);
    Optional<Path> key = find(Setting.METRICS_KEY);
    if (chain.isPresent() != key.isPresent()) {
      Setting set = chain.isPresent() ? Setting.METRICS_CERTIFICATE : Setting.METRICS_KEY;
      Setting other = chain.isPresent() ? Setting.METRICS_KEY : Setting.METRICS_CERTIFICATE;
      throw new InvalidSettingException(
          "TLS needs a certificate and a key: %s is set, but not %s"
              .formatted(outside.name(set), other.variable()));
    }
    return chain.map(file -> new ServerCertificate(file, key.orElseThrow()));
  }

  /**
   * Rejects invalid values before any resource is created. Otherwise, the error for an invalid
   * kubeconfig could hide the errors for these values.
   *
   * @throws InvalidSettingException if a value is invalid; the message names the value, its source
   *     and the accepted values
   */
  void check() {
    for (Setting setting : Setting.values()) {
      if (!OF_ELECTION.contains(setting) && setting != Setting.LEADER_ELECTION) {
        var unused = find(setting);
      }
    }
    certificate();
  }

  /**
   * Returns a sentence for each setting from outside that has no effect, unless the program has set
   * the same value.
   *
   * @param elects whether the manager takes part in an election
   */
  List<String> unused(boolean elects) {
    List<String> sentences = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      Optional<String> source = outside.source(setting);
      if (source.isPresent()) {
        reason(setting, elects)
            .ifPresent(why -> sentences.add(source.get() + EnvironmentSettings.NO_EFFECT + why));
      }
    }
    sentences.addAll(outside.shadowed());
    return sentences;
  }

  /** Returns why a setting from outside has no effect, or empty if it has one. */
  private Optional<String> reason(Setting setting, boolean elects) {
    boolean connects = setting == Setting.KUBECONFIG || setting == Setting.MASTER;
    if (OF_METRICS.contains(setting) && address(Setting.METRICS_ADDRESS).isEmpty()) {
      return Optional.of("metrics are not served");
    } else if (isOfProgram(setting) || (connects && connection != null)) {
      String method = connects && connection != null ? connection : setting.method();
      return isSame(setting)
          ? Optional.empty()
          : Optional.of("the program calls " + method + "(...), which takes precedence");
    } else if (OF_ELECTION.contains(setting) && !get(Setting.LEADER_ELECTION, Boolean.class)) {
      return Optional.of(Setting.LEADER_ELECTION.property() + " is not true");
    } else if (setting == Setting.ON_LOST && !elects) {
      return Optional.of("this program elects no leader");
    }
    return Optional.empty();
  }

  private boolean isSame(Setting setting) {
    try {
      return outside.find(setting).equals(Optional.ofNullable(program.get(setting)));
    } catch (InvalidSettingException e) {
      return false; // an invalid value has no effect either
    }
  }
}
