// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.windlass.behaviour.Logs;
import dev.windlass.client.ConflictException;
import dev.windlass.client.ForbiddenException;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.client.FakeCall;
import dev.windlass.testing.client.FakeClient;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The steps of a reconcile, one at a time: what they return and log, and which failures they throw.
 */
final class TenantStepsTest {

  private static final String NAME = "tenant-sample";

  @AutoClose private final Logs said = Logs.by(Level.INFO, "dev.windlass.examples.tenant");
  private final FakeClient client =
      FakeClient.builder()
          .definition(TenantArtifacts.crd())
          .index(Namespace.class, TenantIndices.OWNER_CONTROLLER_FIELD, TenantStepsTest::owner)
          .build();
  private final TenantNamespaces namespaces =
      new TenantNamespaces(client, new TenantMetrics(new SimpleMeterRegistry()));
  private final TenantRbac rbac = new TenantRbac(client);
  private final Tenant tenant = client.add(TenantArtifacts.sample(NAME));

  private static Collection<String> owner(Namespace namespace) {
    return TenantIndices.owner(ObjectCodec.of(Namespace.class).encode(namespace));
  }

  private TenantPlan plan(String... names) throws Exception {
    tenant.getSpec().setNamespaces(List.of(names));
    return TenantPlan.of(tenant);
  }

  private List<String> writes() {
    return client.calls().stream().filter(FakeCall::isWrite).map(FakeCall::toString).toList();
  }

  /** Each creation is logged once, before it. */
  @Test
  void sayWhetherANamespaceWasCreatedOrDeleted() throws Exception {
    assertThat(namespaces.reconcile(tenant, plan("test1", "test2"))).isTrue();
    assertThat(said.messages(Level.INFO))
        .containsExactly(
            "creating the new namespace: name=tenant-sample-test1",
            "creating the new namespace: name=tenant-sample-test2");
    assertThat(namespaces.reconcile(tenant, plan("test1", "test2"))).isFalse();
    assertThat(namespaces.reconcile(tenant, plan("test1"))).isTrue();
    assertThat(namespaces.reconcile(tenant, plan("test1"))).isFalse();
    assertThat(said.messages(Level.INFO))
        .filteredOn(line -> line.startsWith("creating"))
        .as("those that exist are not created again")
        .hasSize(2);
  }

  /** A Namespace that another client adopts after it was read is kept. */
  @Test
  void deleteANamespaceOnlyAsItWasRead() throws Exception {
    namespaces.reconcile(tenant, plan("test1"));
    ObjectKey key = ObjectKey.of("tenant-sample-test1");
    client.onCall(
        FakeCall.of("delete", Namespace.class),
        call -> {
          Namespace adopted = client.get(Namespace.class, key).orElseThrow();
          adopted.getMetadata().setOwnerReferences(List.of());
          client.update(adopted);
        });
    TenantPlan others = plan("test2");
    assertThatThrownBy(() -> namespaces.reconcile(tenant, others))
        .isInstanceOf(ConflictException.class);
    assertThat(client.get(Namespace.class, key)).isPresent();
  }

  @Test
  void letAFailedListFailAndSayWhatItWas() throws Exception {
    IllegalStateException failure = new IllegalStateException("no cache");
    client.failing(FakeCall.of("list", Namespace.class), failure);
    TenantPlan plan = plan("test1");
    assertThatThrownBy(() -> namespaces.reconcile(tenant, plan)).isSameAs(failure);
    assertThat(said.lines())
        .as("nothing was created")
        .containsExactly("ERROR unable to fetch namespaces");
  }

  @Test
  void letARefusedCreationFailAndSayWhichItWas() {
    client.failing(FakeCall.of("create", Namespace.class), new ForbiddenException("refused"));
    assertThatThrownBy(() -> namespaces.reconcile(tenant, plan("test1")))
        .isInstanceOf(ForbiddenException.class);
    assertThat(said.messages(Level.ERROR))
        .containsExactly("unable to create the namespace: name=tenant-sample-test1");
  }

  @Test
  void letARefusedRoleFailAndSayWhichItWas() throws Exception {
    TenantPlan plan = plan("test1");
    namespaces.reconcile(tenant, plan);
    client.failingOnce(FakeCall.of("create", ClusterRole.class), new ForbiddenException("refused"));
    assertThatThrownBy(() -> rbac.reconcile(tenant, plan)).isInstanceOf(ForbiddenException.class);
    client.failingOnce(FakeCall.of("create", RoleBinding.class), new ForbiddenException("refused"));
    assertThatThrownBy(() -> rbac.reconcile(tenant, plan)).isInstanceOf(ForbiddenException.class);
    assertThat(said.messages(Level.ERROR))
        .containsExactly(
            "unable to create-or-update ClusterRole: name=tenant-sample-test1-admin-role",
            "unable to create-or-update RoleBinding: name=tenant-sample-test1-admin-rolebinding");
  }

  /** The index contains the name of the owner. */
  @Test
  void findTheNamespacesOfATenantByTheIndexAndNoOthers() throws Exception {
    Tenant other = client.add(TenantArtifacts.sample("other"));
    client.add(namespace("theirs", World.owner(other)));
    client.add(namespace("ours", World.owner(tenant)));
    client.add(namespace("free"));

    assertThat(client.list(Namespace.class, TenantIndices.controlledBy(tenant)))
        .extracting(namespace -> namespace.getMetadata().getName())
        .containsExactly("ours");
    namespaces.reconcile(tenant, plan("test1"));

    assertThat(writes()).containsOnlyOnce("delete namespaces ours").hasSize(2);
  }

  private static Namespace namespace(String name, OwnerReference... owners) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(name)
        .withOwnerReferences(owners)
        .endMetadata()
        .build();
  }
}
