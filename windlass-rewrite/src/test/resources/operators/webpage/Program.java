// SPDX-License-Identifier: Apache-2.0
package webpage;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import java.time.Duration;

/** The program. */
public final class Program {

  public static void main(String[] args) {
    System.out.println("starting");
    // One replica is active.
    Operator operator =
        new Operator(
            overrider ->
                overrider.withLeaderElectionConfiguration(
                    new LeaderElectionConfiguration("web-pages", "operators")));
    operator.installShutdownHook(Duration.ofSeconds(20));
    operator.register(new WebPageReconciler());
    operator.start();
  }
}
