// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the Tenant operator says to Tenants that can't be had, on whatever API server. */
abstract class BadInputContract {

  private final Reconciled reconciled = new Reconciled();
  private final String name = "b" + Long.toString(System.nanoTime(), 36);
  private final String neighbour = name + "n";
  private final AtomicInteger tries = new AtomicInteger();
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
  void stopsTheOperatorAndRestoresTheCrd() {
    tenants().delete();
    eventually().until(() -> tenants().list().getItems().isEmpty());
    restoresTheCrd();
    assertThat(manager.stop()).as("stopped in time").isTrue();
    client.close();
    world.kubectl().close();
  }

  /** Tells so once, goes on with other Tenants, and is content when the Tenant has been changed. */
  private void isToldAndCured(String message, Consumer<TenantSpec> cure) {
    isToldAndCured(message, () -> world.change(name, cure));
  }

  private void isToldAndCured(String message, Runnable cure) {
    Condition condition = world.awaitFailed(name);
    assertThat(condition.getReason()).isEqualTo("Failed");
    assertThat(condition.getMessage()).contains(message);
    Event event = world.awaitOneEvent(name, "Failed");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote()).isEqualTo("failed to reconcile: " + condition.getMessage());

    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    world.awaitOneEvent(neighbour, "Updated");
    assertThat(world.events(neighbour, "Failed")).isEmpty();
    assertThat(world.ready(name)).contains(condition);
    assertThat(world.awaitOneEvent(name, "Failed").getSeries()).as("once").isNull();

    cure.run();
    Condition ready = world.awaitReady(name);
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    world.awaitOneEvent(name, "Updated");
    assertThat(world.events(name, "Failed")).hasSize(1);
  }

  /** The Namespace stays as it is. */
  @Test
  @Proves({"000-103", "000-104", "000-108", "000-109"})
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
    letsEverythingIn();
    createAsSoonAsAccepted(spec("\"test1\",\"test2\",\"test1\"", "User"));

    isToldAndCured(
        "spec.namespaces names test1 twice: remove one of them",
        spec -> spec.setNamespaces(List.of("test1")));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`` | spec.namespaces lacks a name",
        "`,\"spec\":null` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[]}` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[null]}` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[\"a\"]}` | spec.admin is missing",
        "`,\"spec\":{\"namespaces\":[\"a\"],\"admin\":{}}` | spec.admin.kind is null: use User",
      })
  void saysWhatASpecificationLacks(String fields, String message) {
    letsEverythingIn();
    createAsSoonAsAccepted(fields);

    isToldAndCured(message, this::writesAWholeSpecification);
    assertThat(reconciled.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  private void writesAWholeSpecification() {
    raw(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{%s}".formatted(spec("\"%s-a\"".formatted(name), "User").substring(1)));
  }

  /** 1.4 MB, which is all that etcd takes; what people read stays short. */
  @Test
  void saysSoOfANameThatIsFarTooLong() {
    world.create(TenantArtifacts.sample(name, "a".repeat(1_400_000)));

    isToldAndCured(
        "spec.namespaces has a name of %d characters: use 63 at most, including the prefix"
            .formatted(1_400_000 + name.length() + 1),
        spec -> spec.setNamespaces(List.of("test1")));
  }

  @Test
  void saysWhatTheServerSaysOfANameThatNoNamespaceCanHave() {
    world.create(TenantArtifacts.sample(name, "Not_A_Name"));

    isToldAndCured("Not_A_Name", spec -> spec.setNamespaces(List.of("test1")));
    assertThat(reconciled.of(name, Outcome.TERMINAL_ERROR)).isEqualTo(1);
  }

  /** The framework says so, for nobody can write a status into what can't be read. */
  @Test
  void leavesATenantAloneThatDoesNotFitTheClass() {
    letsEverythingIn();
    createAsSoonAsAccepted(",\"spec\":{\"namespaces\":{\"a\":1}}");

    Event event = world.awaitOneEvent(name, "Undecodable");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo(
            "Tenant does not fit dev.windlass.examples.tenant.Tenant at spec.namespaces. Correct it"
                + " to match the CRD; until then it is skipped");
    raw(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"namespaces\":\"neither\"}}");
    eventually().until(() -> reconciled.of(name, Outcome.TERMINAL_ERROR) > 1);
    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    world.awaitOneEvent(neighbour, "Updated"); // sent after all of the bad one
    assertThat(world.awaitOneEvent(name, "Undecodable").getSeries()).as("once").isNull();
    writesAWholeSpecification();
    world.awaitReady(name);
    assertThat(reconciled.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  /** The server takes no change of it that does not cure it, and so no condition. */
  @Test
  void tellsOfATenantThatIsOlderThanTheSchema() {
    letsEverythingIn();
    assertThat(manager.stop()).isTrue();
    createAsSoonAsAccepted("");
    restoresTheCrd();
    isRefused("", "spec: Required value");
    manager = TenantContract.start(client, reconciled);

    Event event = world.awaitOneEvent(name, "Failed");
    assertThat(event.getNote()).contains("spec: Required value");
    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    world.awaitOneEvent(neighbour, "Updated"); // sent after all of the bad one
    assertThat(world.awaitOneEvent(name, "Failed").getSeries()).as("once").isNull();
    assertThat(reconciled.of(name, Outcome.ERROR)).as("not tried again").isZero();

    writesAWholeSpecification();
    world.awaitReady(name);
  }

  /** Where the CRD does not drop it. */
  @Test
  void isContentWithAFieldThatNobodyKnows() {
    letsEverythingIn();
    createAsSoonAsAccepted(
        spec("\"%s-a\"".formatted(name), "User").replace("{\"names", "{\"colour\":1,\"names"));

    world.awaitReady(name);
    assertThat(world.events(name, "Failed")).isEmpty();
  }

  /** The sentences are the server's. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`` | spec: Required value",
        "`,\"spec\":{}` | spec.namespaces: Required value",
        "`,\"spec\":{}` | spec.admin: Required value",
        "`,\"spec\":{\"namespaces\":\"a\"}` | spec.namespaces in body must be of type array: \"string\"",
        "`,\"spec\":{\"namespaces\":[]}` | spec.namespaces in body should have at least 1 items",
        "`,\"spec\":{\"namespaces\":[7]}` | spec.namespaces[0] in body must be of type string: \"integer\"",
      })
  @Proves({"000-121", "000-122"})
  void isRefusedByTheSchema(String fields, String sentence) {
    isRefused(fields, sentence);
  }

  private void isRefused(String fields, String sentence) {
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> create(name + tries.incrementAndGet(), fields))
                    .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(422))
                    .hasMessageContaining(sentence));
  }

  @Test
  void isRefusedByItsName() {
    assertThatThrownBy(() -> world.create(TenantArtifacts.sample("Not_A_Name")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining("a lowercase RFC 1123 subdomain must consist of");
  }

  private static String spec(String namespaces, String admin) {
    return ",\"spec\":{\"namespaces\":[%s],\"admin\":{\"kind\":\"%s\",\"name\":\"jane\"}}"
        .formatted(namespaces, admin);
  }

  private Resource<GenericKubernetesResource> raw(String tenant) {
    return tenants().withName(tenant);
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      tenants() {
    return world.kubectl().genericKubernetesResources("multitenancy.example.com/v1", "Tenant");
  }

  /** A Tenant as text, since the class has no room for what is wrong with it. */
  private void create(String tenant, String fields) {
    String json =
        """
        {"apiVersion":"multitenancy.example.com/v1","kind":"Tenant","metadata":{"name":"%s"}%s}"""
            .formatted(tenant, fields);
    tenants().resource(Serialization.unmarshal(json, GenericKubernetesResource.class)).create();
  }

  /** The server may take a while to take notice of another CRD. */
  private void createAsSoonAsAccepted(String fields) {
    eventually()
        .until(
            () -> {
              try {
                create(name, fields);
                return true;
              } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(422);
                return false;
              }
            });
  }

  /** Until the end of the test: a CRD as it may have been when the Tenant was written. */
  private void letsEverythingIn() {
    changeCrd(
        crd ->
            crd.getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .setOpenAPIV3Schema(
                    new JSONSchemaPropsBuilder()
                        .withType("object")
                        .withXKubernetesPreserveUnknownFields(true)
                        .build()));
  }

  private void restoresTheCrd() {
    changeCrd(crd -> crd.setSpec(TenantArtifacts.crd().getSpec()));
  }

  private void changeCrd(Consumer<CustomResourceDefinition> change) {
    Edits.edit(
        world
            .kubectl()
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName("tenants.multitenancy.example.com"),
        crd -> {
          change.accept(crd);
          return crd;
        });
  }
}
