// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A Tenant is edited: it loses a namespace, and gets another administrator. */
final class TenantEditIT extends OnRealServer {

  private static final String NAME = "r2";
  private static final String KEPT = "r2-test1";
  private static final String DROPPED = "r2-test2";

  @Test
  void followsWhatIsEdited() {
    World world = new World(kubectl);
    Manager manager = closing(Manager.builder().client(operatorClient()).build());
    start(manager, TenantEntry::controller);
    kubectl.resource(TenantEntry.sample(NAME, "r2-")).create();
    world.awaitReady(NAME);
    String kept = Objects.requireNonNull(world.namespace(KEPT)).getMetadata().getUid();

    world.change(
        NAME,
        spec -> {
          spec.setNamespaces(List.of("test1"));
          spec.setAdmin(new SubjectBuilder().withKind("User").withName("jane").build());
        });

    // The namespace goes for good, with its role; what it held goes with it.
    world.awaitReady(NAME);
    world.awaitNothingLeft(DROPPED);
    assertThat(Objects.requireNonNull(world.binding(KEPT)).getSubjects())
        .containsExactly(
            new SubjectBuilder()
                .withApiGroup("rbac.authorization.k8s.io")
                .withKind("User")
                .withName("jane")
                .build());
    assertThat(Objects.requireNonNull(world.namespace(KEPT)).getMetadata().getUid())
        .isEqualTo(kept);
    assertThat(world.children(KEPT)).hasSize(3);

    // Asked for once, counted once, though it took its time; and told.
    assertThat(requests.of("DELETE namespaces")).hasSize(1);
    assertThat(requests.of("DELETE clusterroles")).hasSize(1);
    assertThat(requests.of("PUT rolebindings")).hasSize(1);
    assertThat(requests.of("POST namespaces")).hasSize(2);
    assertThat(requests.of("PUT namespaces")).as("what is there stays as it is").isEmpty();
    assertThat(counted(manager, "removed")).isEqualTo(1);
    assertThat(counted(manager, "added")).isEqualTo(2);
    eventually()
        .untilAsserted(
            () ->
                assertThat(
                        events("default", NAME, "Updated").stream().mapToInt(e -> count(e)).sum())
                    .isEqualTo(2));
    assertThat(runs.of(NAME, Outcome.ERROR)).isZero();

    world.delete(NAME);
    world.awaitNothingLeft(KEPT);
  }

  private static int counted(Manager manager, String what) {
    return (int)
        manager.meterRegistry().get("tenant_controller_" + what + "_namespaces").gauge().value();
  }
}
