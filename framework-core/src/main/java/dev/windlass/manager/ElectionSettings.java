// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.LeaderElectionOptions;

/**
 * The settings for leader election from outside the program, for programs that enable leader
 * election themselves, such as with a command-line option. This class is stateless.
 */
public final class ElectionSettings {

  private ElectionSettings() {}

  /**
   * Returns options for leader election with the values of the process's {@link Setting}s, such as
   * {@code WINDLASS_LEADER_ELECTION_LEASE_DURATION}. Settings without a value keep the value of the
   * given options.
   *
   * @throws InvalidSettingException if a value is invalid, or if values contradict each other
   */
  public static LeaderElectionOptions over(LeaderElectionOptions defaults) {
    EnvironmentSettings outside = EnvironmentSettings.ofProcess();
    return outside.election(
        outside.text(Setting.LEASE_NAME).map(name -> renamed(defaults, name)).orElse(defaults));
  }

  private static LeaderElectionOptions renamed(LeaderElectionOptions options, String name) {
    LeaderElectionOptions renamed =
        LeaderElectionOptions.of(name)
            .withNamespace(options.namespace())
            .withIdentity(options.identity())
            .withDurations(options.leaseDuration(), options.renewDeadline(), options.retryPeriod());
    return options.releaseOnStop() ? renamed : renamed.withoutReleaseOnStop();
  }
}
