// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.behaviour.Proves;
import dev.windlass.client.Client;
import dev.windlass.controller.Controller;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.examples.cli.testing.LooseCrd;
import dev.windlass.examples.cli.testing.Requests;
import dev.windlass.examples.cli.testing.Runs;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the Tenant operator does to what Tenants ask for, on whatever API server: subclasses only
 * say which. Tenants live in no namespace, so each test has one of its own name.
 */
abstract class TenantContract {

  private final Requests requests = new Requests();
  private final Runs runs = new Runs();

  /** The Tenant of this test; its prefix is its name and a hyphen. */
  private final String name = "t" + Long.toString(System.nanoTime(), 36);

  private final String test1 = name + "-test1";
  private final String test2 = name + "-test2";
  private KubernetesClient operatorClient;
  private Manager manager;
  private World world;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  @BeforeEach
  void startsTheOperator() {
    server().install(TenantArtifacts.crd());
    world = new World(server().newClient());
    operatorClient = requests.client(server().clientConfig());
    manager = start(operatorClient, runs);
  }

  static Manager start(KubernetesClient client, Runs runs) {
    Manager manager = Manager.builder().client(client).build();
    Controller controller = TenantController.builder(manager).listener(runs).register(manager);
    manager.start();
    eventually().until(controller::isReady);
    return manager;
  }

  /** What the manager's registry says, {@code added} or {@code removed}. */
  static int count(Manager manager, String what) {
    return (int)
        manager.meterRegistry().get("tenant_controller_" + what + "_namespaces").gauge().value();
  }

  @AfterEach
  void stopsTheOperator() {
    world.kubectl().resources(Tenant.class).delete();
    eventually().until(() -> world.kubectl().resources(Tenant.class).list().getItems().isEmpty());
    assertThat(manager.stop()).as("stopped in time").isTrue();
    operatorClient.close();
    world.kubectl().close();
  }

  private Tenant createSample() {
    Tenant tenant = world.create(TenantArtifacts.sample(name));
    world.awaitReady(name);
    return tenant;
  }

  /** What was changed of this test's Tenant and what it owns. */
  private List<String> own() {
    return requests.sent(Requests.Sent::isWrite).stream()
        .map(Requests.Sent::line)
        .filter(action -> action.contains(name) || action.startsWith("POST"))
        .toList();
  }

  @Test
  @Proves({"000-63", "000-70", "000-91", "000-127"})
  void createsANamespaceWithARoleAndABindingPerEntry() {
    Tenant tenant = createSample();

    for (String namespace : List.of(test1, test2)) {
      assertThat(world.children(namespace))
          .hasSize(3)
          .extracting(child -> child.getMetadata().getOwnerReferences())
          .containsOnly(List.of(World.owner(tenant)));
    }
    assertThat(own()).filteredOn("POST namespaces"::equals).hasSize(2);
    assertThat(own()).filteredOn("POST clusterroles"::equals).hasSize(2);
  }

  @Test
  @Proves({"000-84", "000-87", "000-88", "000-89"})
  void grantsAccessToTheTenantAndTheNamespace() {
    createSample();

    for (String namespace : List.of(test1, test2)) {
      world.assertRole(name, namespace);
    }
  }

  @Test
  @Proves({"000-94", "000-95", "000-125"})
  void bindsTheRoleToTheAdministrator() {
    createSample();

    for (String namespace : List.of(test1, test2)) {
      world.assertBinding(namespace);
    }
  }

  @Test
  @Proves({"000-114", "000-118", "000-128", "R1"})
  void reportsThatAllIsThere() {
    Tenant tenant = createSample();

    Condition ready = world.awaitReady(name);
    assertThat(ready.getType()).isEqualTo("Ready");
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    assertThat(ready.getLastTransitionTime()).isNotNull();
    Event event = world.awaitOneEvent(name, "Updated");
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("the tenant was updated");
    assertThat(event.getReportingController()).isEqualTo("tenant-controller");
    assertThat(event.getRegarding().getUid()).isEqualTo(tenant.getMetadata().getUid());
    assertThat(event.getSeries()).as("once").isNull();
    assertThat(world.events(name, "Failed")).isEmpty();
    assertThat(count(manager, "added")).isEqualTo(2);
    assertThat(count(manager, "removed")).isZero();
  }

  /** Whoever comes to a world that is as it should be. */
  @Test
  @Proves({"000-09", "000-71", "000-105", "R1"})
  void writesNothingWhenAllIsThere() {
    createSample();
    manager.stop();
    operatorClient.close();
    Requests later = new Requests();
    Runs afterwards = new Runs();
    operatorClient = later.client(server().clientConfig());

    manager = start(operatorClient, afterwards);

    eventually().until(() -> afterwards.of(name) > 0);
    world
        .kubectl()
        .namespaces()
        .withName(test1)
        .edit(
            namespace ->
                new NamespaceBuilder(namespace)
                    .editMetadata()
                    .addToLabels("team", "blue")
                    .endMetadata()
                    .build());
    eventually().until(() -> afterwards.of(name, Outcome.DONE) > 1);
    assertThat(later.writes()).as("not even in vain").isEmpty();
    assertThat(world.events(name, "Updated")).hasSize(1);
  }

  /** No role of it is left behind. */
  @Test
  @Proves({"000-77", "000-79", "000-96", "000-99"})
  void deletesWhatIsNoLongerWantedAndReplacesTheAdministrator() {
    createSample();
    Subject admin =
        new SubjectBuilder().withKind("User").withName("jane").build(); // without an API group

    world.change(
        name,
        spec -> {
          spec.setNamespaces(List.of("test1"));
          spec.setAdmin(admin);
        });

    eventually().until(() -> world.role(test2) == null);
    eventually().until(() -> isGoing(world.namespace(test2)));
    eventually()
        .untilAsserted(
            () ->
                assertThat(Objects.requireNonNull(world.binding(test1)).getSubjects())
                    .containsExactly(
                        new SubjectBuilder(admin).withApiGroup(TenantPlan.RBAC).build()));
    world.awaitReady(name);
    assertThat(isGoing(world.namespace(test1))).isFalse();
    assertThat(world.role(test1)).isNotNull();
    assertThat(count(manager, "removed")).isEqualTo(1);
    assertThat(own()).filteredOn(a -> a.startsWith("DELETE namespaces")).hasSize(1);
    assertThat(own())
        .filteredOn(a -> a.startsWith("PUT") && a.contains("/rolebindings/"))
        .as("what the server would add to an administrator is added before")
        .hasSize(1);
  }

  private static boolean isGoing(@Nullable Namespace namespace) {
    return namespace == null || namespace.isMarkedForDeletion();
  }

  /** A Namespace that takes its time is asked once to go. */
  @Test
  @Proves("000-82")
  void deletesANamespaceOnceThatTakesItsTime() {
    createSample();
    hold(test2, List.of("example.com/hold"));

    world.change(name, spec -> spec.setNamespaces(List.of("test1")));
    eventually().until(() -> isGoing(world.namespace(test2)));
    world.awaitReady(name);
    long before = runs.of(name);
    world.change(
        name, spec -> spec.setAdmin(new SubjectBuilder(spec.getAdmin()).withName("x").build()));
    eventually().until(() -> runs.of(name) > before);
    world.awaitReady(name);

    assertThat(own()).filteredOn(("DELETE namespaces/" + test2)::equals).hasSize(1);
    assertThat(count(manager, "removed")).isEqualTo(1);
    hold(test2, List.of());
    eventually().until(() -> world.namespace(test2) == null);
  }

  private void hold(String namespace, List<String> finalizers) {
    Edits.edit(
        world.kubectl().namespaces().withName(namespace),
        found -> found.getMetadata().setFinalizers(finalizers));
  }

  /** Deleted by hand, changed by hand. */
  @Test
  @Proves({"000-15", "000-16", "000-56", "000-98"})
  void repairsWhatOthersHaveChanged() {
    createSample();
    ClusterRole role = Objects.requireNonNull(world.role(test1));
    world.kubectl().resource(role).delete();
    eventually().until(() -> Edits.isAnother(world.role(test1), role));

    RoleBinding binding = Objects.requireNonNull(world.binding(test1));
    world.kubectl().resource(binding).delete();
    eventually().until(() -> Edits.isAnother(world.binding(test1), binding));

    Edits.edit(
        world.kubectl().resource(Objects.requireNonNull(world.binding(test2))),
        found -> found.setSubjects(List.of()));
    eventually()
        .until(() -> Objects.requireNonNull(world.binding(test2)).getSubjects().size() == 1);

    Namespace first = Objects.requireNonNull(world.namespace(test2));
    world.kubectl().namespaces().withName(test2).delete();
    eventually().until(() -> Edits.isAnother(world.namespace(test2), first));
    eventually().until(() -> world.binding(test2) != null);
    world.awaitReady(name);
  }

  /** What is nobody's, or another kind's, is none of our business. */
  @Test
  @Proves({"000-18", "000-19", "000-66"})
  void takesNoNoticeOfWhatOthersOwn() {
    String stranger = "s" + name;
    Tenant notATenant = new Tenant();
    notATenant.getMetadata().setName(stranger);
    notATenant.getMetadata().setUid("1-2-3");
    OwnerReference other = World.owner(notATenant);
    other.setApiVersion("other.example.com/v1");
    OwnerReference noController = World.owner(notATenant);
    noController.setController(false);
    createNamespace(name + "-theirs", other);
    createNamespace(name + "-shared", noController);
    createSample();

    assertThat(runs.of(stranger)).isZero();
    assertThat(namesByOwner(stranger)).isEmpty();
    assertThat(namesByOwner(name)).containsExactlyInAnyOrder(test1, test2);
    world.kubectl().namespaces().withName(name + "-theirs").delete();
    world.kubectl().namespaces().withName(name + "-shared").delete();
  }

  private void createNamespace(String namespace, OwnerReference owner) {
    world
        .kubectl()
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .withOwnerReferences(owner)
                .endMetadata()
                .build())
        .create();
  }

  private List<String> namesByOwner(String owner) {
    return manager
        .informers()
        .existing(Namespace.class)
        .orElseThrow()
        .indexer()
        .byIndex(TenantIndices.OWNER_CONTROLLER_FIELD, owner)
        .stream()
        .map(found -> found.key().name())
        .toList();
  }

  /** Gone without a failure, and the garbage collector does the rest. */
  @Test
  @Proves({"000-04", "000-61", "000-131", "000-132"})
  void letsADeletedTenantGo() {
    createSample();
    assertThat(Objects.requireNonNull(world.tenant(name)).getMetadata().getFinalizers())
        .containsExactly("tenant.finalizers.multitenancy.example.com");

    world.delete(name);

    if (server().capabilities().garbageCollection()) {
      eventually().until(() -> world.role(test1) == null && world.role(test2) == null);
      eventually().until(() -> isGoing(world.namespace(test1)));
    }
    assertThat(own()).noneMatch(action -> action.startsWith("DELETE"));
    assertThat(runs.of(name, Outcome.ERROR)).isZero();
  }

  /** No request, and nothing for a Tenant that is not ready. */
  @Test
  @Proves({"000-39", "000-45", "000-47"})
  void hasEventsForTenantsThatAreReady() {
    createSample();
    Tenant other = TenantArtifacts.sample(name + "z", "a");
    Objects.requireNonNull(other.getSpec().getAdmin()).setKind("Robot");
    world.create(other);
    world.awaitFailed(name + "z");
    Client client = manager.client();
    eventually()
        .until(() -> client.list(Tenant.class, TenantIndices.withReady("False")).size() == 1);
    eventually()
        .until(() -> client.list(Tenant.class, TenantIndices.withReady("True")).size() == 1);
    try (EventChannel<Tenant> channel =
        Source.channel(Tenant.class, 2, manager.informerOptions())) {
      ExternalEvents events = new ExternalEvents(client, channel);
      events.run();
      assertThat(channel.waiting()).isEqualTo(1);
      events.run();
      events.run(); // nobody listens, and there is no room: left out, not waited for
      assertThat(channel.waiting()).isEqualTo(2);
    }
  }

  /** What is said to Tenants that can't be had. */
  @Nested
  final class OnBadInput {

    private final String neighbour = name + "n";
    private final AtomicInteger tries = new AtomicInteger();
    private LooseCrd bad;

    @BeforeEach
    void knowsTheCrd() {
      bad = new LooseCrd(world.kubectl(), TenantArtifacts.crd(), null);
    }

    /** And lets no Tenant remain that the class does not fit. */
    @AfterEach
    void restoresTheCrd() {
      var tenants =
          bad.kubectl().genericKubernetesResources("multitenancy.example.com/v1", "Tenant");
      tenants.delete();
      eventually().until(() -> tenants.list().getItems().isEmpty());
      bad.restore();
    }

    /**
     * Tells so once, goes on with other Tenants, and is content when the Tenant has been changed.
     */
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
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(foreign).endMetadata().build())
          .create();
      world.create(TenantArtifacts.sample(name));

      isToldAndCured(
          "Namespace "
              + foreign
              + " exists, and does not belong to this tenant: choose another name in spec.namespaces",
          spec -> spec.setNamespaces(List.of("test2")));

      assertThat(
              Objects.requireNonNull(world.namespace(foreign)).getMetadata().getOwnerReferences())
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
      manager = start(operatorClient, runs);

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
}
