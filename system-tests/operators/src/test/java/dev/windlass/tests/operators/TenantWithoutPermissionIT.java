// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.cli.testsupport.Access;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.manager.Manager;
import dev.windlass.tests.operators.Requests.Sent;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operator that may not create namespaces, until somebody lets it. */
final class TenantWithoutPermissionIT extends OnRealServer {

  private static final String NAME = "r3";
  private static final String USER = "r3-operator";
  private static final int FAILURES = 7;

  @Test
  void saysWhatItMayNotTriesLessAndLessOftenAndRecovers() {
    ClusterRole all = printed();
    Access.grant(kubectl, without(all, "namespaces", "create"));
    Access.bind(kubectl, USER, USER);
    World world = new World(kubectl);
    Logs said = closing(Logs.by(Level.INFO, "dev.windlass.examples.tenant"));
    Manager manager =
        closing(
            Manager.builder().client(closing(requests.client(server().userConfig(USER)))).build());
    start(manager, TenantEntry::controller);
    kubectl.resource(TenantEntry.sample(NAME, "r3-")).create();

    Condition failed = world.awaitFailed(NAME);
    eventually().until(() -> runs.of(NAME, Outcome.ERROR) >= FAILURES);

    // Told once, however often it is met, and with the reason.
    assertThat(failed.getReason()).isEqualTo("Failed");
    assertThat(failed.getMessage()).contains("namespaces").contains(USER);
    assertThat(world.ready(NAME)).contains(failed);
    eventually().until(() -> !events("default", NAME, "Failed").isEmpty());
    assertThat(events("default", NAME, "Failed"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getNote()).isEqualTo("failed to reconcile: " + failed.getMessage());
              assertThat(count(event)).isEqualTo(1);
            });
    assertThat(said.messages())
        .containsSubsequence(
            "creating the new namespace: name=r3-test1",
            "unable to create the namespace: name=r3-test1",
            "unable to reconcile: name=" + NAME);
    assertThat(requests.writes())
        .as("no role without a namespace")
        .noneMatch(write -> write.contains("role"));
    assertThat(counted(manager)).isZero();
    assertThatEachTryCameTwiceAsLate();

    Access.grant(kubectl, all);

    Condition ready = world.awaitReady(NAME);
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    assertThat(world.children("r3-test1")).hasSize(3);
    assertThat(world.children("r3-test2")).hasSize(3);
    assertThat(counted(manager)).isEqualTo(2);
    eventually().until(() -> !events("default", NAME, "Updated").isEmpty());
    assertThat(events("default", NAME, "Updated"))
        .singleElement()
        .satisfies(TenantWithoutPermissionIT::isToldOnce);
    assertThat(events("default", NAME, "Failed"))
        .singleElement()
        .satisfies(TenantWithoutPermissionIT::isToldOnce);

    world.delete(NAME);
    world.awaitNothingLeft("r3-test1");
    world.awaitNothingLeft("r3-test2");
  }

  private static void isToldOnce(Event event) {
    assertThat(count(event)).isEqualTo(1);
  }

  /** From one try to the next at least 5 ms, then 10, 20 and so on; each run asks once. */
  private void assertThatEachTryCameTwiceAsLate() {
    List<Sent> tries = requests.of("POST namespaces");
    assertThat(tries).hasSizeGreaterThanOrEqualTo(FAILURES);
    for (int i = 0; i + 1 < FAILURES; i++) {
      assertThat(Duration.ofNanos(tries.get(i + 1).at() - tries.get(i).at()))
          .as("try %d", i + 2)
          .isGreaterThanOrEqualTo(Duration.ofMillis(5L << i));
    }
  }

  private static int counted(Manager manager) {
    return (int) manager.meterRegistry().get("tenant_controller_added_namespaces").gauge().value();
  }

  /** The rights that the operator says it needs. */
  private static ClusterRole printed() {
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      TenantEntry.controller(manager).register(manager);
      return (ClusterRole) manager.permissions().roles(USER).get(0);
    }
  }

  private static ClusterRole without(ClusterRole role, String resource, String verb) {
    ClusterRole less = new ClusterRoleBuilder(role).build();
    for (PolicyRule rule : less.getRules()) {
      if (rule.getResources().contains(resource)) {
        rule.setVerbs(rule.getVerbs().stream().filter(other -> !other.equals(verb)).toList());
      }
    }
    return less;
  }
}
