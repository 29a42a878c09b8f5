// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.behaviour.Proves;
import dev.windlass.client.ForbiddenException;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Runs;
import dev.windlass.examples.cli.testing.Said;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.rbac.UsedPermissions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the operator does when the server refuses what it asks for. */
final class TenantFailureTest {

  private static final String NAME = "tenant-sample";
  private static final RequestMatcher CREATE_NAMESPACE =
      RequestMatcher.of(Verb.CREATE, "namespaces");

  private final Runs runs = new Runs();
  private final UsedPermissions used = new UsedPermissions();
  private EmbeddedApiServer server;
  private KubernetesClient client;
  private Manager manager;
  private World world;

  @BeforeEach
  void startsTheOperator() {
    server = EmbeddedApiServer.builder().garbageCollection(false).start();
    server.install(TenantArtifacts.crd());
    world = new World(server.newClient());
    client = used.client(server.clientConfig());
    manager = TenantContract.start(client, runs);
  }

  @AfterEach
  void stopsTheOperator() {
    assertThat(manager.stop()).isTrue();
    client.close();
    world.kubectl().close();
    server.close();
  }

  /** Acceptance run R3 in docs/acceptance-runs.md. */
  @Test
  @Proves({"000-05", "000-76", "000-109", "R3"})
  void triesAgainUntilItMayCreateNamespaces() {
    server.fail(CREATE_NAMESPACE, 403, 10_000);
    world.create(TenantArtifacts.sample(NAME));

    Condition failed = world.awaitFailed(NAME);
    eventually().until(() -> runs.of(NAME, Outcome.ERROR) >= 4);
    assertThat(failed.getReason()).isEqualTo("Failed");
    assertThat(world.ready(NAME)).as("told once").contains(failed);
    assertThat(world.awaitOneEvent(NAME, "Failed").getNote())
        .isEqualTo("failed to reconcile: " + failed.getMessage());
    assertThat(TenantContract.count(manager, "added")).isZero();
    assertThat(server.requests())
        .noneMatch(request -> request.verb() == Verb.CREATE && request.resource().contains("rbac"));

    server.healFaults();

    Condition ready = world.awaitReady(NAME);
    assertThat(ready.getReason()).isNull();
    assertThat(world.awaitOneEvent(NAME, "Updated").getSeries()).as("once").isNull();
    assertThat(world.events(NAME, "Failed")).hasSize(1);
    assertThat(TenantContract.count(manager, "added")).isEqualTo(2);
  }

  @Test
  @Proves("000-78")
  void countsNoNamespaceAsRemovedThatItMayNotDelete() {
    world.create(TenantArtifacts.sample(NAME));
    world.awaitReady(NAME);
    server.fail(RequestMatcher.of(Verb.DELETE, "namespaces"), 403, 3);

    world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));

    world.awaitOneEvent(NAME, "Failed");
    world.awaitReady(NAME);
    assertThat(TenantContract.count(manager, "removed")).isEqualTo(1);
    assertThat(runs.of(NAME, Outcome.ERROR)).isEqualTo(3);
  }

  /** What counts is the first failure, and a status is written in the end. */
  @Test
  @Proves("000-115")
  void writesTheStatusWhenItMay() {
    server.fail(
        request -> request.verb() == Verb.UPDATE && request.subresource().equals("status"), 403, 2);
    server.fail(CREATE_NAMESPACE, 403, 1);

    world.create(TenantArtifacts.sample(NAME));

    world.awaitReady(NAME);
    assertThat(runs.of(NAME, Outcome.ERROR)).isEqualTo(2);
  }

  /** Whatever else fails: who is told, and what is retried, is the first failure. */
  @Test
  @Proves({"000-107", "000-110", "000-111"})
  void failsByTheFirstFailureAndWaitsTwiceAsLongEachTime() {
    Said said = Said.by("dev.windlass.examples.tenant");
    try (said) {
      server.fail(
          request -> request.verb() == Verb.UPDATE && request.subresource().equals("status"),
          403,
          10_000);
      server.fail(CREATE_NAMESPACE, 403, 10_000);
      world.create(TenantArtifacts.sample(NAME));
      eventually().until(() -> runs.of(NAME, Outcome.ERROR) >= 7);
    }

    List<Throwable> failures = runs.thrown(NAME).subList(0, 7);
    assertThat(failures)
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
    List<Long> ends = runs.times(NAME);
    for (int i = 1; i < 7; i++) {
      assertThat(ends.get(i) - ends.get(i - 1))
          .as("wait %d", i)
          .isGreaterThanOrEqualTo(Duration.ofMillis((5L << (i - 1)) - 1).toNanos());
    }
    assertThat(said.messages(Level.ERROR))
        .startsWith(
            "unable to create the namespace: name=tenant-sample-test1",
            "unable to reconcile: name=tenant-sample",
            "failed to update status: name=tenant-sample",
            "unable to create the namespace: name=tenant-sample-test1",
            "unable to reconcile: name=tenant-sample");
  }

  /** What an earlier Tenant of the same name has left is not this one's to delete. */
  @Test
  void leavesWhatAnEarlierTenantOfTheNameHasLeft() {
    Tenant earlier = TenantArtifacts.sample(NAME);
    earlier.getMetadata().setUid("1-2-3");
    Namespace left =
        new NamespaceBuilder().withNewMetadata().withName("left").endMetadata().build();
    OwnerReferences.setController(left, earlier);
    world.kubectl().resource(left).create();

    world.create(TenantArtifacts.sample(NAME));

    world.awaitReady(NAME);
    assertThat(server.requests())
        .noneMatch(
            request -> request.verb() == Verb.DELETE && request.resource().equals("namespaces"));
    assertThat(TenantContract.count(manager, "removed")).isZero();
  }

  /** Nothing is used that was not declared, and nothing was declared for nothing. */
  @Test
  @Proves("000-133")
  void usesTheRightsThatItDeclares() {
    world.create(TenantArtifacts.sample(NAME));
    world.awaitReady(NAME);
    world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    eventually().until(() -> world.role(NAME + "-test2") == null);
    world.awaitOneEvent(NAME, "Updated");
    world.delete(NAME);

    used.assertMatch(manager.rbac());
  }
}
