// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of objects does not grow with the number of crashes (docs/reliability.md, G2). */
final class CrashLoopTest {

  private static final int LIVES = 40;
  private static final List<String> PARTS = List.of("a", "b", "c");
  private static final LeaderElectionOptions ELECTION =
      LeaderElectionOptions.of("crash-loop").withNamespace("default");

  private static void register(Manager manager) {
    EventRecorder events = manager.eventRecorder("crash-loop");
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(
            (widget, context) -> {
              for (String part : PARTS) {
                Operation<ConfigMap> made =
                    CreateOrUpdate.createOrUpdate(
                        context.client(),
                        Samples.map("default", part),
                        map -> OwnerReferences.setController(map, widget));
                if (made.result() == Operation.Result.CREATED) {
                  events.normal(widget, "Created", part);
                }
              }
              return Result.done();
            })
        .register(manager);
  }

  /** The process dies after 16 s, when its predecessor's lease has just expired, up to 20 s. */
  @Test
  void leavesNoMoreBehindAfterManyCrashesThanAfterOneLife() {
    try (ReconcilerTest test =
        ReconcilerTest.of(CrashLoopTest::register)
            .install(Widget.definition())
            .withManager(builder -> builder.leaderElection(ELECTION))) {
      test.create(Widget.of("default", "owner"));
      for (int life = 0; life < LIVES; life++) {
        test.advance(Duration.ofMillis(16_000 + 100 * life));
        test.crash();
        assertThat(test.list(Lease.class, "default")).as("after %d lives", life).hasSize(1);
        assertThat(test.list(Event.class, "default")).hasSizeLessThanOrEqualTo(PARTS.size());
        assertThat(test.list(ConfigMap.class, "default")).hasSizeLessThanOrEqualTo(PARTS.size());
      }
      assertThat(test.list(ConfigMap.class, "default")).hasSize(PARTS.size());
      assertThat(test.list(Event.class, "default")).isNotEmpty();
    }
  }
}
