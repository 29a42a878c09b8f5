// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How the Tenant operator maintains what Tenants ask for, on virtual time. */
final class TenantTest {

  private static final String NAME = "sample";
  private static final String FIRST = "sample-test1";
  private static final String SECOND = "sample-test2";

  @AutoClose private final TenantFixture tenants = new TenantFixture(TenantArtifacts.crd());
  private final ReconcilerTest test = tenants.test;
  private final World world = tenants.world;

  private Tenant createSample() {
    Tenant tenant = test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    return tenant;
  }

  @Test
  void createsANamespaceWithARoleAndABindingPerEntry() {
    Tenant tenant = createSample();
    for (String namespace : List.of(FIRST, SECOND)) {
      assertThat(world.children(namespace))
          .hasSize(3)
          .extracting(child -> child.getMetadata().getOwnerReferences())
          .containsOnly(List.of(World.owner(tenant)));
    }
    assertThat(tenants.writes())
        .containsExactly(
            "patch tenants.multitenancy.example.com sample", // the finalizer
            "create namespaces sample-test1",
            "create namespaces sample-test2",
            "create clusterroles.rbac.authorization.k8s.io sample-test1-admin-role",
            "create rolebindings.rbac.authorization.k8s.io sample-test1/sample-test1-admin-rolebinding",
            "create clusterroles.rbac.authorization.k8s.io sample-test2-admin-role",
            "create rolebindings.rbac.authorization.k8s.io sample-test2/sample-test2-admin-rolebinding",
            "update tenants.multitenancy.example.com/status sample");
  }

  @Test
  void grantsAccessToTheTenantAndTheNamespace() {
    createSample();
    world.assertRole(FIRST);
    world.assertRole(SECOND);
  }

  @Test
  void bindsTheRoleToTheAdministrator() {
    createSample();
    world.assertBinding(FIRST);
    world.assertBinding(SECOND);
  }

  @Test
  void reportsThatAllIsThere() {
    Tenant tenant = createSample();
    Condition ready = world.awaitReady(NAME);
    assertThat(ready.getType()).isEqualTo("Ready");
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    assertThat(ready.getLastTransitionTime()).isNotNull();
    Event event = world.awaitOneEvent(NAME, "Updated");
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("the tenant was updated");
    assertThat(event.getReportingController()).isEqualTo("tenant-controller");
    assertThat(event.getRegarding().getUid()).isEqualTo(tenant.getMetadata().getUid());
    assertThat(event.getSeries()).as("once").isNull();
    assertThat(world.events(NAME, "Failed")).isEmpty();
    assertThat(tenants.count("added")).isEqualTo(2);
    assertThat(tenants.count("removed")).isZero();
  }

  /** Another process finds everything as it should be. */
  @Test
  void writesNothingWhenAllIsThere() {
    createSample();
    int before = tenants.writes().size();
    test.crash();
    test.reconcile().assertWrites();
    test.assertEventuallyStable();
    test.edit(Namespace.class, "", FIRST, n -> n.getMetadata().setLabels(Map.of("team", "blue")));
    test.reconcile().assertWrites();
    assertThat(tenants.writes()).hasSize(before);
    assertThat(world.awaitOneEvent(NAME, "Updated").getSeries()).isNull();
  }

  /** A Namespace, with its role, is deleted; the administrator is replaced in one write. */
  @Test
  void deletesWhatIsNoLongerWantedAndReplacesTheAdministrator() {
    createSample();
    int before = tenants.writes().size();
    Subject admin = new SubjectBuilder().withKind("User").withName("jane").build();

    world.change(
        NAME,
        spec -> {
          spec.setNamespaces(List.of("test1"));
          spec.setAdmin(admin);
        });

    test.assertEventuallyStable();
    assertThat(world.children(SECOND)).isEmpty();
    assertThat(world.children(FIRST)).hasSize(3);
    assertThat(Objects.requireNonNull(world.binding(FIRST)).getSubjects())
        .containsExactly(new SubjectBuilder(admin).withApiGroup(TenantPlan.RBAC).build());
    world.awaitReady(NAME);
    assertThat(tenants.count("removed")).isEqualTo(1);
    assertThat(tenants.writes().subList(before, tenants.writes().size()))
        .as("the defaults of the server are set before, so that one update is enough")
        .containsOnlyOnce(
            "delete namespaces sample-test2",
            "update rolebindings.rbac.authorization.k8s.io sample-test1/sample-test1-admin-rolebinding");
  }

  /** While the Namespace is being deleted, no further request is sent. */
  @Test
  void deletesANamespaceOnceThatTakesItsTime() {
    createSample();
    test.edit(
        Namespace.class, "", SECOND, n -> n.getMetadata().setFinalizers(List.of("example.com/h")));
    world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    test.assertEventuallyStable();
    world.change(NAME, spec -> Objects.requireNonNull(spec.getAdmin()).setName("x"));
    test.assertEventuallyStable();
    assertThat(Objects.requireNonNull(world.namespace(SECOND)).isMarkedForDeletion()).isTrue();
    assertThat(tenants.writes()).containsOnlyOnce("delete namespaces sample-test2");
    assertThat(tenants.count("removed")).isEqualTo(1);
  }

  /** Objects that others delete or change are restored. */
  @Test
  void repairsWhatOthersHaveChanged() {
    createSample();
    String uid = Objects.requireNonNull(world.namespace(SECOND)).getMetadata().getUid();
    test.delete(ClusterRole.class, "", FIRST + "-admin-role"); // alone, so that its watch must act
    test.assertEventuallyStable();
    world.assertRole(FIRST);
    test.delete(RoleBinding.class, FIRST, FIRST + "-admin-rolebinding");
    test.edit(
        RoleBinding.class, SECOND, SECOND + "-admin-rolebinding", b -> b.setSubjects(List.of()));
    test.assertEventuallyStable();
    world.assertBinding(FIRST);
    world.assertBinding(SECOND);

    test.delete(Namespace.class, "", SECOND);
    test.assertEventuallyStable();
    assertThat(Objects.requireNonNull(world.namespace(SECOND)).getMetadata().getUid())
        .isNotEqualTo(uid);
    world.assertBinding(SECOND);
    world.awaitReady(NAME);
  }

  /** Only Tenants of this API group that are controllers count as owners. */
  @Test
  void takesNoNoticeOfWhatOthersOwn() {
    Tenant notATenant = new Tenant();
    notATenant.getMetadata().setName("stranger");
    notATenant.getMetadata().setUid("1-2-3");
    OwnerReference other = World.owner(notATenant);
    other.setApiVersion("other.example.com/v1");
    OwnerReference noController = World.owner(notATenant);
    noController.setController(false);
    test.create(namespace("theirs", other));
    test.create(namespace("shared", noController));
    createSample();

    assertThat(tenants.runs("stranger")).isEmpty();
    assertThat(namesByOwner("stranger")).isEmpty();
    assertThat(namesByOwner(NAME)).containsExactlyInAnyOrder(FIRST, SECOND);
  }

  private static Namespace namespace(String name, OwnerReference owner) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(name)
        .withOwnerReferences(owner)
        .withFinalizers("example.com/hold") // the garbage collector finds no owner
        .endMetadata()
        .build();
  }

  private List<String> namesByOwner(String owner) {
    var namespaces = tenants.manager().informers().existing(Namespace.class).orElseThrow();
    return namespaces.indexer().byIndex(TenantIndices.OWNER_CONTROLLER_FIELD, owner).stream()
        .map(found -> found.key().name())
        .toList();
  }

  /** The garbage collector deletes the children. */
  @Test
  void letsADeletedTenantGo() {
    createSample();
    assertThat(Objects.requireNonNull(world.tenant(NAME)).getMetadata().getFinalizers())
        .containsExactly("tenant.finalizers.multitenancy.example.com");
    test.delete(Tenant.class, "", NAME);
    test.assertEventuallyStable();
    assertThat(world.tenant(NAME)).isNull();
    assertThat(world.children(FIRST)).isEmpty();
    assertThat(world.children(SECOND)).isEmpty();
    assertThat(tenants.writes()).noneMatch(write -> write.startsWith("delete"));
    assertThat(tenants.runs(NAME)).doesNotContain("error");
  }

  /** From the cache, and nothing for a Tenant that is not ready. */
  @Test
  void hasEventsForTenantsThatAreReady() {
    Tenant other = TenantArtifacts.sample("other", "a");
    Objects.requireNonNull(other.getSpec().getAdmin()).setKind("Robot");
    test.create(other);
    createSample();
    Client client = tenants.manager().client();
    assertThat(client.list(Tenant.class, TenantIndices.withReady("False"))).hasSize(1);
    assertThat(client.list(Tenant.class, TenantIndices.withReady("True"))).hasSize(1);
    try (EventChannel<Tenant> channel =
        Source.channel(Tenant.class, 2, tenants.manager().informerOptions())) {
      ExternalEvents events = new ExternalEvents(client, channel);
      events.run();
      assertThat(channel.waiting()).isEqualTo(1);
      events.run();
      events.run(); // nobody listens and the channel is full, so the event is dropped
      assertThat(channel.waiting()).isEqualTo(2);
    }
  }

  /** What an earlier Tenant of the same name has left is not deleted. */
  @Test
  void leavesWhatAnEarlierTenantOfTheNameHasLeft() {
    Tenant earlier = TenantArtifacts.sample(NAME);
    earlier.getMetadata().setUid("1-2-3");
    test.create(namespace("left", World.owner(earlier)));
    createSample();
    world.awaitReady(NAME);
    assertThat(tenants.writes()).noneMatch(write -> write.startsWith("delete"));
    assertThat(tenants.count("removed")).isZero();
  }

  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void comesToTheSameEndWhateverFails() {
    createSample();
    world.change(NAME, spec -> spec.setNamespaces(List.of("test2", "test3")));
    test.assertEventuallyStable();
    assertThat(world.children("sample-test3")).hasSize(3);
    assertThat(world.namespace(FIRST)).isNull();
  }
}
