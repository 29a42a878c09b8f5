// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.LooseCrd;
import dev.windlass.examples.cli.testing.Runs;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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

  private final Runs runs = new Runs();
  private final String name = "b" + Long.toString(System.nanoTime(), 36);
  private final String neighbour = name + "n";
  private final AtomicInteger tries = new AtomicInteger();
  private KubernetesClient client;
  private Manager manager;
  private World world;
  private LooseCrd bad;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  @BeforeEach
  void startsTheOperator() {
    server().install(TenantArtifacts.crd());
    world = new World(server().newClient());
    bad = new LooseCrd(world.kubectl(), TenantArtifacts.crd(), null);
    client = server().newClient();
    manager = TenantContract.start(client, runs);
  }

  @AfterEach
  void stopsTheOperatorAndRestoresTheCrd() {
    var tenants = bad.kubectl().genericKubernetesResources("multitenancy.example.com/v1", "Tenant");
    tenants.delete();
    eventually().until(() -> tenants.list().getItems().isEmpty());
    bad.restore();
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

    assertThat(runs.of(name, Outcome.TERMINAL_ERROR)).isEqualTo(1);
    assertThat(runs.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  /** Where an older CRD is installed, which lets them in. */
  @Test
  @Proves("000-81")
  void refusesNamespacesThatAreNamedTwice() {
    bad.acceptEverything();
    bad.createAsSoonAsAccepted(name, spec("\"test1\",\"test2\",\"test1\"", "User"));

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
    bad.acceptEverything();
    bad.createAsSoonAsAccepted(name, fields);

    isToldAndCured(message, this::writesAWholeSpecification);
    assertThat(runs.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  private void writesAWholeSpecification() {
    bad.patch(name, "{%s}".formatted(spec("\"%s-a\"".formatted(name), "User").substring(1)));
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
    assertThat(runs.of(name, Outcome.TERMINAL_ERROR)).isEqualTo(1);
    assertThat(runs.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  /** The framework says so, for nobody can write a status into what can't be read. */
  @Test
  void leavesATenantAloneThatDoesNotFitTheClass() {
    bad.acceptEverything();
    bad.createAsSoonAsAccepted(name, ",\"spec\":{\"namespaces\":{\"a\":1}}");

    Event event = world.awaitOneEvent(name, "Undecodable");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo(
            "Tenant does not fit dev.windlass.examples.tenant.Tenant at spec.namespaces. Correct it"
                + " to match the CRD; until then it is skipped");
    bad.patch(name, "{\"spec\":{\"namespaces\":\"neither\"}}");
    eventually().until(() -> runs.of(name, Outcome.TERMINAL_ERROR) > 1);
    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    world.awaitOneEvent(neighbour, "Updated"); // sent after all of the bad one
    assertThat(world.awaitOneEvent(name, "Undecodable").getSeries()).as("once").isNull();
    writesAWholeSpecification();
    world.awaitReady(name);
    assertThat(runs.of(name, Outcome.ERROR)).as("not tried again").isZero();
  }

  /** The server takes no change of it that does not cure it, and so no condition. */
  @Test
  void tellsOfATenantThatIsOlderThanTheSchema() {
    bad.acceptEverything();
    assertThat(manager.stop()).isTrue();
    bad.createAsSoonAsAccepted(name, "");
    bad.restore();
    isRefused("", "spec: Required value");
    manager = TenantContract.start(client, runs);

    Event event = world.awaitOneEvent(name, "Failed");
    assertThat(event.getNote()).contains("spec: Required value");
    world.create(TenantArtifacts.sample(neighbour, "a"));
    world.awaitReady(neighbour);
    world.awaitOneEvent(neighbour, "Updated"); // sent after all of the bad one
    assertThat(world.awaitOneEvent(name, "Failed").getSeries()).as("once").isNull();
    assertThat(runs.of(name, Outcome.ERROR)).as("not tried again").isZero();

    writesAWholeSpecification();
    world.awaitReady(name);
  }

  /** Where the CRD does not drop it. */
  @Test
  void acceptsAnUnknownField() {
    bad.acceptEverything();
    bad.createAsSoonAsAccepted(
        name,
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
                assertThatThrownBy(
                        () -> bad.object(name + tries.incrementAndGet(), fields).create())
                    .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(422))
                    .hasMessageContaining(sentence));
  }

  private static String spec(String namespaces, String admin) {
    return ",\"spec\":{\"namespaces\":[%s],\"admin\":{\"kind\":\"%s\",\"name\":\"jane\"}}"
        .formatted(namespaces, admin);
  }
}
