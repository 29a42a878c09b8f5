// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.testing.core.Foo;
import java.util.function.Function;

/** The code of docs/guides/leader-election.md, so that it compiles. */
final class LeaderElectionSample {

  private LeaderElectionSample() {}

  static void run(Function<Client, Reconciler> reconcilers) {
    Manager manager =
        Manager.builder()
            .leaderElection(LeaderElectionOptions.of("foo-operator").withNamespace("operators"))
            .build();
    ControllerBuilder.forType(Foo.class)
        .reconciler(reconcilers.apply(manager.client()))
        .register(manager);
    LeaderGroup group = manager.leaderGroup(LeaderElectionOptions.of("bar-controller"));
    ControllerBuilder.forType(Foo.class)
        .named("bar")
        .leaderElection(group)
        .reconciler(reconcilers.apply(group.client()))
        .register(manager);
    manager.run();
  }
}
