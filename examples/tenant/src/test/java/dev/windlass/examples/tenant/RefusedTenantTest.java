// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.client.ForbiddenException;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.rbac.UsedPermissions;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the operator does if the server rejects its requests. */
final class RefusedTenantTest {

  private static final String NAME = "tenant-sample";
  private static final RequestMatcher CREATE_NAMESPACE =
      RequestMatcher.of(Verb.CREATE, "namespaces");
  private static final RequestMatcher STATUS =
      request -> request.verb() == Verb.UPDATE && request.subresource().equals("status");

  @AutoClose private final TenantFixture tenants = new TenantFixture(TenantArtifacts.crd());
  private final ReconcilerTest test = tenants.test;
  private final World world = tenants.world;

  @Test
  void triesAgainUntilItMayCreateNamespaces() {
    test.server().fail(CREATE_NAMESPACE, 403, 10_000);
    test.create(TenantArtifacts.sample(NAME));
    test.advance(Duration.ofSeconds(30));

    Condition failed = world.awaitFailed(NAME);
    assertThat(tenants.failures(NAME)).hasSizeGreaterThan(4);
    assertThat(failed.getReason()).isEqualTo("Failed");
    assertThat(world.awaitOneEvent(NAME, "Failed").getNote())
        .isEqualTo("failed to reconcile: " + failed.getMessage());
    assertThat(tenants.writes())
        .as("reported once, and no role is created")
        .containsExactly(
            "patch tenants.multitenancy.example.com tenant-sample",
            "update tenants.multitenancy.example.com/status tenant-sample");
    assertThat(tenants.count("added")).isZero();

    test.server().healFaults();

    test.assertEventuallyStable();
    assertThat(world.awaitReady(NAME).getReason()).isNull();
    assertThat(world.awaitOneEvent(NAME, "Updated").getSeries()).as("once").isNull();
    assertThat(world.awaitOneEvent(NAME, "Failed").getSeries()).as("once").isNull();
    assertThat(tenants.count("added")).isEqualTo(2);
  }

  @Test
  void countsNoNamespaceAsRemovedThatItMayNotDelete() {
    test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    test.server().fail(RequestMatcher.of(Verb.DELETE, "namespaces"), 403, 3);
    world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    test.assertEventuallyStable();
    world.awaitOneEvent(NAME, "Failed");
    world.awaitReady(NAME);
    assertThat(tenants.count("removed")).isEqualTo(1);
    assertThat(tenants.failures(NAME)).hasSize(3);
  }

  @Test
  void writesTheStatusWhenItMay() {
    test.server().fail(STATUS, 403, 2);
    test.server().fail(CREATE_NAMESPACE, 403, 1);
    test.create(TenantArtifacts.sample(NAME));
    test.assertEventuallyStable();
    world.awaitReady(NAME);
    assertThat(tenants.failures(NAME)).hasSize(2);
  }

  /** The first failure is logged and decides about the retry, even if the report fails as well. */
  @Test
  void failsByTheFirstFailureAndWaitsTwiceAsLongEachTime() {
    Logs said = Logs.by(Level.INFO, "dev.windlass.examples.tenant");
    try (said) {
      test.server().fail(STATUS, 403, 10_000);
      test.server().fail(CREATE_NAMESPACE, 403, 10_000);
      test.create(TenantArtifacts.sample(NAME));
      test.advance(Duration.ofMillis(700));
    }
    assertThat(tenants.failures(NAME))
        .as("at the start, and after 5, 15, 35, 75, 155, 315 and 635 ms")
        .hasSizeBetween(7, 8)
        .allSatisfy(
            failure -> {
              assertThat(failure)
                  .isInstanceOf(ForbiddenException.class)
                  .hasMessageContaining("can't create namespaces");
              assertThat(failure.getSuppressed())
                  .singleElement()
                  .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                  .hasMessageContaining("tenants.multitenancy.example.com/status");
            });
    assertThat(said.messages(Level.ERROR))
        .startsWith(
            "unable to create the namespace: name=tenant-sample-test1",
            "unable to reconcile: name=tenant-sample",
            "failed to update status: name=tenant-sample",
            "unable to create the namespace: name=tenant-sample-test1",
            "unable to reconcile: name=tenant-sample");
  }

  /** It declares every right that it uses, and no other. */
  @Test
  void usesTheRightsThatItDeclares() {
    UsedPermissions used = new UsedPermissions();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient();
        KubernetesClient client = used.client(server.clientConfig());
        Manager manager = Manager.builder().client(client).build()) {
      server.install(TenantArtifacts.crd());
      TenantController.register(manager);
      manager.start();
      World cluster = new World(kubectl);
      cluster.create(TenantArtifacts.sample(NAME));
      cluster.awaitReady(NAME);
      cluster.awaitOneEvent(NAME, "Updated");
      cluster.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
      cluster.awaitNothingLeft(NAME + "-test2");
      cluster.delete(NAME);
      used.assertMatch(manager.permissions());
    }
  }
}
