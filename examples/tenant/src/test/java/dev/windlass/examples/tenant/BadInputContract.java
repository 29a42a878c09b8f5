// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.examples.tenant.World.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the Tenant operator says to Tenants that can't be had, on whatever API server. */
abstract class BadInputContract {

  private final Reconciled reconciled = new Reconciled();
  private final String name = "b" + Long.toString(System.nanoTime(), 36);
  private final String neighbour = name + "n";
  private KubernetesClient client;
  private Manager manager;
  private World world;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  @BeforeEach
  void startsTheOperator() {
    server().install(TenantArtifacts.crd());
    world = new World(server().newClient());
    client = server().newClient();
    manager = TenantContract.start(client, reconciled);
  }

  @AfterEach
  void stopsTheOperator() {
    world.kubectl().resources(Tenant.class).delete();
    eventually().until(() -> world.kubectl().resources(Tenant.class).list().getItems().isEmpty());
    assertThat(manager.stop()).as("stopped in time").isTrue();
    client.close();
    world.kubectl().close();
  }

  /** Tells so once, goes on with other Tenants, and is content when the Tenant has been changed. */
  private void isToldAndCured(String message, Consumer<TenantSpec> cure) {
    Condition condition = world.awaitFailed(name);
    assertThat(condition.getReason()).isEqualTo("Failed");
    assertThat(condition.getMessage()).contains(message);
    Event event = world.awaitOneEvent(name, "Failed");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote()).isEqualTo("failed to reconcile: " + condition.getMessage());

    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    assertThat(world.events(neighbour, "Failed")).isEmpty();
    assertThat(world.ready(name)).contains(condition);
    assertThat(world.awaitOneEvent(name, "Failed").getSeries()).as("once").isNull();

    world.change(name, cure);
    Condition ready = world.awaitReady(name);
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    world.awaitOneEvent(name, "Updated");
    assertThat(world.events(name, "Failed")).hasSize(1);
  }

  /** The Namespace stays as it is. */
  @Test
  @Proves({"000-73", "000-103", "000-104", "000-108", "000-109"})
  void leavesANamespaceAloneThatIsNobodys() {
    String foreign = name + "-test1";
    world
        .kubectl()
        .resource(new NamespaceBuilder().withNewMetadata().withName(foreign).endMetadata().build())
        .create();
    world.create(TenantArtifacts.sample(name));

    isToldAndCured(
        "Namespace "
            + foreign
            + " exists, and does not belong to this tenant: choose another name in spec.namespaces",
        spec -> spec.setNamespaces(List.of("test2")));

    assertThat(Objects.requireNonNull(world.namespace(foreign)).getMetadata().getOwnerReferences())
        .isEmpty();
    assertThat(world.role(foreign)).isNull();
    world.kubectl().namespaces().withName(foreign).delete();
  }

  /** Two Tenants want the same; who came first has it. */
  @Test
  @Proves({"000-73", "000-106"})
  void leavesANamespaceAloneThatIsAnotherTenants() {
    world.create(TenantArtifacts.sample(name + "-x", "y"));
    world.awaitReady(name + "-x");

    world.create(TenantArtifacts.sample(name, "x-y"));

    isToldAndCured(
        "can't be controlled by Tenant " + name, spec -> spec.setNamespaces(List.of("z")));
    assertThat(world.role(name + "-x-y")).as("not attempted, for this one").isNotNull();
    assertThat(world.ready(name + "-x"))
        .hasValueSatisfying(ready -> assertThat(ready.getStatus()).isEqualTo("True"));
  }

  @Test
  void refusesAnAdministratorOfAnUnknownKind() {
    Tenant tenant = TenantArtifacts.sample(name);
    Objects.requireNonNull(tenant.getSpec().getAdmin()).setKind("Robot");
    world.create(tenant);

    isToldAndCured(
        "spec.admin.kind is Robot: use User, Group or ServiceAccount",
        spec -> Objects.requireNonNull(spec.getAdmin()).setKind("ServiceAccount"));

    assertThat(reconciled.of(name, Outcome.TERMINAL_ERROR)).isEqualTo(1);
    assertThat(reconciled.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  /** Where an older CRD is installed, which lets them in. */
  @Test
  @Proves("000-81")
  void refusesNamespacesThatAreNamedTwice() {
    setListType("atomic");
    try {
      Tenant tenant = TenantArtifacts.sample(name, "test1", "test2", "test1");
      eventually().until(() -> isAccepted(tenant));

      isToldAndCured(
          "spec.namespaces names test1 twice: remove one of them",
          spec -> spec.setNamespaces(List.of("test1")));
    } finally {
      setListType("set");
    }
  }

  private boolean isAccepted(Tenant tenant) {
    try {
      world.create(tenant);
      return true;
    } catch (KubernetesClientException e) {
      assertThat(e.getCode()).isEqualTo(422);
      return false; // the server has not yet taken notice of the other CRD
    }
  }

  private void setListType(String type) {
    Edits.edit(
        world
            .kubectl()
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName("tenants.multitenancy.example.com"),
        crd -> {
          namespaces(crd).setXKubernetesListType(type);
          return crd;
        });
  }

  private static JSONSchemaProps namespaces(CustomResourceDefinition crd) {
    JSONSchemaProps root = crd.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    JSONSchemaProps spec = Objects.requireNonNull(root.getProperties().get("spec"));
    return Objects.requireNonNull(spec.getProperties().get("namespaces"));
  }
}
