// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.client.Client;
import dev.windlass.controller.Controller;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Edits;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
}
