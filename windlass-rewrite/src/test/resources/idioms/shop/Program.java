// SPDX-License-Identifier: Apache-2.0
package shop;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import java.time.Duration;

/** The program. */
public final class Program {

  public static void main(String[] args) {
    Operator operator =
        new Operator(
            overrider ->
                overrider
                    .withConcurrentReconciliationThreads(20)
                    .withLeaderElectionConfiguration(
                        new LeaderElectionConfiguration("shops", "operators")));
    operator.installShutdownHook(Duration.ofSeconds(20));
    operator.register(new ShopReconciler());
    operator.start();
  }
}
