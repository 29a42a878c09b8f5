// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.windlass.client.ConflictException;
import dev.windlass.client.ForbiddenException;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The steps of a reconcile: what they log, and which failures they throw. */
final class TenantStepsTest {

  private static final String NAME = "tenant-sample";
  private static final String FIRST = "tenant-sample-test1";
  private static final String SECOND = "tenant-sample-test2";

  @AutoClose private final Logs said = Logs.by(Level.INFO, "dev.windlass.examples.tenant");
  @AutoClose private final TenantFixture tenants = new TenantFixture(TenantArtifacts.crd());
  private final ReconcilerTest test = tenants.test;

  private List<String> said(Level level, String of) {
    return said.messages(level).stream().filter(line -> line.contains(of)).toList();
  }

  /** Each creation is logged once, before it. */
  @Test
  void sayWhetherANamespaceWasCreatedOrDeleted() {
    test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    tenants.world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    test.assertEventuallyStable();
    assertThat(said(Level.INFO, "the new namespace"))
        .containsExactly(
            "creating the new namespace: name=" + FIRST,
            "creating the new namespace: name=" + SECOND,
            "deleting the new namespace: name=" + SECOND);
  }

  /** A Namespace that another client adopts after it was read is kept. */
  @Test
  void deleteANamespaceOnlyAsItWasRead() {
    test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    test.server()
        .beforeNext(
            RequestMatcher.of(Verb.DELETE, Namespace.class),
            () ->
                test.edit(
                    Namespace.class,
                    "",
                    SECOND,
                    n -> n.getMetadata().setOwnerReferences(List.of())));
    tenants.world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    test.assertEventuallyStable();
    assertThat(tenants.failures(NAME)).hasOnlyElementsOfType(ConflictException.class).hasSize(1);
    assertThat(Objects.requireNonNull(tenants.world.namespace(SECOND)).isMarkedForDeletion())
        .isFalse();
  }

  /** A client without a cache cannot list by an index. */
  @Test
  void letAFailedListFailAndSayWhatItWas() throws Exception {
    Tenant tenant = TenantArtifacts.sample(NAME);
    TenantPlan plan = TenantPlan.of(tenant);
    TenantNamespaces namespaces =
        new TenantNamespaces(FakeClient.of(), new TenantMetrics(new SimpleMeterRegistry()));
    assertThatIllegalStateException().isThrownBy(() -> namespaces.reconcile(tenant, plan));
    assertThat(said.lines())
        .as("nothing was created")
        .containsExactly("ERROR unable to fetch namespaces");
  }

  @Test
  void letARefusedRoleFailAndSayWhichItWas() {
    test.server().fail(RequestMatcher.of(Verb.CREATE, ClusterRole.class), 403, 1);
    test.server().fail(RequestMatcher.of(Verb.CREATE, RoleBinding.class), 403, 1);
    test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    assertThat(tenants.failures(NAME)).hasOnlyElementsOfType(ForbiddenException.class).hasSize(2);
    assertThat(said(Level.ERROR, "unable to create-or-update"))
        .containsExactly(
            "unable to create-or-update ClusterRole: name=tenant-sample-test1-admin-role",
            "unable to create-or-update RoleBinding: name=tenant-sample-test1-admin-rolebinding");
  }
}
