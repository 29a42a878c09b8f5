// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How the Foo operator maintains the Deployments of its Foos, on virtual time. */
final class FooTest {

  private static final String FOOS = "foos.samplecontroller.k8s.io";
  private static final String CREATE = "create deployments.apps default/example-foo";
  private static final String UPDATE = "update deployments.apps default/example-foo";
  private static final String STATUS = "update " + FOOS + "/status default/example-foo";
  private static final String GONE = "foo 'default/gone' in work queue no longer exists";

  @AutoClose private final FooFixture foos = new FooFixture(FooArtifacts.crd());
  private final ReconcilerTest test = foos.test;

  private void createExample() {
    foos.create(foo -> {});
    test.assertEventuallyStable();
  }

  /** Everything that sample-controller sets, in one write. */
  @Test
  void createsTheDeploymentOfANewFoo() {
    Foo foo = foos.create(example -> example.getSpec().setDeploymentName("other"));

    test.reconcile().assertWrites("create deployments.apps default/other");

    Deployment deployment = foos.deployment("other");
    assertThat(deployment.getMetadata().getOwnerReferences()).hasSize(1);
    OwnerReference owner = deployment.getMetadata().getOwnerReferences().get(0);
    assertThat(owner.getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(owner.getKind()).isEqualTo("Foo");
    assertThat(owner.getName()).isEqualTo("example-foo");
    assertThat(owner.getUid()).isEqualTo(foo.getMetadata().getUid());
    assertThat(owner.getController()).isTrue();
    assertThat(owner.getBlockOwnerDeletion()).isTrue();
    Map<String, String> labels = Map.of("app", "nginx", "controller", "example-foo");
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
    assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels()).isEqualTo(labels);
    var containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    assertThat(containers).hasSize(1);
    assertThat(containers.get(0).getName()).isEqualTo("nginx");
    assertThat(containers.get(0).getImage()).isEqualTo("nginx:latest");
  }

  /** If the Foo does not set the replicas, the Deployment keeps its own number. */
  @Test
  void leavesTheReplicasToTheDeploymentWhenTheFooNamesNone() {
    Foo foo = foos.create(example -> example.getSpec().setReplicas(null));
    assertThat(FooDeployment.of(foo, "d").getSpec().getReplicas()).isNull();
    test.assertEventuallyStable();
    test.edit(Deployment.class, "default", "example-foo", d -> d.getSpec().setReplicas(5));
    test.assertEventuallyStable();
    assertThat(foos.deployment("example-foo").getSpec().getReplicas()).isEqualTo(5);
    assertThat(foos.writes()).doesNotContain(UPDATE);
  }

  /** One write, which keeps what other clients have set. */
  @Test
  void updatesTheReplicasAndNothingElse() {
    createExample();
    test.edit(
        Deployment.class,
        "default",
        "example-foo",
        d -> d.getMetadata().setAnnotations(Map.of("somebody", "else's")));
    test.assertEventuallyStable();

    foos.change(foo -> foo.getSpec().setReplicas(3));

    test.assertEventuallyStable();
    Deployment deployment = foos.deployment("example-foo");
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
    assertThat(deployment.getMetadata().getAnnotations()).containsEntry("somebody", "else's");
    assertThat(foos.foo().getStatus().getAvailableReplicas()).isEqualTo(3);
    assertThat(foos.writes()).containsExactly(CREATE, STATUS, UPDATE, STATUS);
  }

  /** The number that the Deployment reports is copied only if it differs. */
  @Test
  void reportsTheAvailableReplicas() {
    createExample();
    assertThat(foos.foo().getStatus().getAvailableReplicas()).isEqualTo(1);
    assertThat(foos.writes()).containsExactly(CREATE, STATUS);
  }

  @Test
  void createsADeletedDeploymentAgain() {
    createExample();
    String first = foos.deployment("example-foo").getMetadata().getUid();
    test.delete(Deployment.class, "default", "example-foo");
    test.assertEventuallyStable();
    assertThat(foos.deployment("example-foo").getMetadata().getUid()).isNotEqualTo(first);
    assertThat(foos.writes()).filteredOn(CREATE::equals).hasSize(2);
  }

  /** The operator deletes nothing itself. */
  @Test
  void leavesTheDeploymentOfADeletedFooToTheGarbageCollector() {
    createExample();
    test.delete(Foo.class, "default", "example-foo");
    test.assertEventuallyStable();
    assertThat(test.list(Foo.class, "default")).isEmpty();
    assertThat(test.list(Deployment.class, "default")).isEmpty();
    assertThat(foos.writes()).containsExactly(CREATE, STATUS);
  }

  @Test
  void isNotWokenByTheDeletionOfAFoo() {
    foos.create(foo -> foo.getSpec().setDeploymentName("")); // has no Deployment that would wake it
    test.advance(Duration.ofSeconds(10));
    test.delete(Foo.class, "default", "example-foo");
    test.advance(Duration.ofMinutes(2));
    assertThat(foos.runs("example-foo")).isEqualTo(1);
  }

  /** One warning and one condition, retries with a growing delay, and no write to it. */
  @Test
  void leavesADeploymentAloneThatItDoesNotControl() {
    Deployment foreign = test.create(FooArtifacts.foreignDeployment("default", "example-foo"));
    foos.create(foo -> {});

    test.advance(Duration.ofSeconds(20));

    assertThat(foos.failures()).isBetween(10L, 14L); // after 5 ms, then twice as late each time
    Event event = foos.events("example-foo", "ErrResourceExists").get(0);
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo("Resource \"example-foo\" already exists and is not managed by Foo");
    assertThat(foos.deployment("example-foo").getSpec()).isEqualTo(foreign.getSpec());
    Condition stalled = foos.conditions("example-foo").get(0);
    assertThat(stalled.getType()).isEqualTo("Stalled");
    assertThat(stalled.getStatus()).isEqualTo("True");
    assertThat(stalled.getReason()).isEqualTo("ErrResourceExists");
    assertThat(stalled.getMessage())
        .isEqualTo(
            event.getNote() + ": choose another spec.deploymentName, or delete the Deployment");
    assertThat(foos.writes()).as("the report").containsExactly(STATUS);

    test.delete(Deployment.class, "default", "example-foo");

    test.assertEventuallyStable();
    assertThat(foos.conditions("example-foo")).isEmpty();
    assertThat(foos.writes()).startsWith(STATUS, CREATE, STATUS);
    assertThat(foos.events("example-foo", "ErrResourceExists"))
        .as("reported once, not by each retry")
        .singleElement()
        .matches(reported -> reported.getSeries() == null);
  }

  @Test
  void triesAgainWhatFailed() {
    test.server().fail(RequestMatcher.of(Verb.CREATE, "deployments.apps"), 403, 2);
    test.server().fail(RequestMatcher.of(Verb.UPDATE, FOOS), 403, 1);
    createExample();
    assertThat(foos.failures()).isEqualTo(3);
    assertThat(foos.foo().getStatus().getAvailableReplicas()).isEqualTo(1);

    foos.change(foo -> foo.getSpec().setReplicas(3));
    test.server().fail(RequestMatcher.of(Verb.UPDATE, "deployments.apps"), 403, 2);

    test.assertEventuallyStable();
    assertThat(foos.failures()).isEqualTo(5);
    assertThat(foos.deployment("example-foo").getSpec().getReplicas()).isEqualTo(3);
  }

  /** Not retried, and nothing is written except an Event. An edit cures it. */
  @Test
  void waitsForTheDeploymentNameOfAFooThatHasNone() {
    foos.create(foo -> foo.getSpec().setDeploymentName(""));
    test.advance(Duration.ofSeconds(20));
    assertThat(foos.events("example-foo", "DeploymentNameMissing"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getNote())
                  .isEqualTo(
                      "spec.deploymentName is missing: set the name of the Deployment to create");
            });
    assertThat(foos.lines())
        .containsExactly("default/example-foo: deployment name must be specified");
    assertThat(foos.runs("example-foo")).isEqualTo(1);
    assertThat(foos.writes()).isEmpty();

    foos.change(foo -> foo.getSpec().setDeploymentName("late"));

    test.assertEventuallyStable();
    assertThat(foos.writes()).containsExactly("create deployments.apps default/late", STATUS);
  }

  /** One Event object, whose count grows with each sync. */
  @Test
  void recordsOneEventThatCountsTheSyncs() {
    createExample();
    Event event = foos.events("example-foo", "Synced").get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getRegarding().getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(event.getRegarding().getKind()).isEqualTo("Foo");
    assertThat(event.getRegarding().getUid()).isEqualTo(foos.foo().getMetadata().getUid());
    int before = event.getSeries().getCount();

    foos.change(foo -> foo.getSpec().setReplicas(2));

    test.assertEventuallyStable();
    assertThat(foos.events("example-foo", "Synced"))
        .singleElement()
        .matches(later -> later.getSeries().getCount() > before);
  }

  /** Another process finds everything as it should be. */
  @Test
  void writesNothingInAConvergedWorld() {
    createExample();
    int before = foos.writes().size();
    test.crash();
    test.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      String label = String.valueOf(i);
      foos.change(foo -> foo.getMetadata().setLabels(Map.of("seen", label)));
      test.reconcile().assertWrites();
    }
    assertThat(foos.writes()).hasSize(before);
  }

  /** Reads of watched types come from the cache. */
  @Test
  void readsFromTheCache() {
    createExample();
    assertThat(test.server().requests())
        .noneMatch(
            request ->
                request.verb() == Verb.GET
                    && List.of(FOOS, "deployments.apps").contains(request.resource()));
  }

  /** The status belongs to the operator. */
  @Test
  void ownsTheStatus() {
    Foo foo = foos.create(example -> example.getStatus().setAvailableReplicas(99));
    assertThat(foo.getStatus().getAvailableReplicas()).isZero();
  }

  @Test
  void hasASchemaWithBounds() {
    assertThatThrownBy(() -> foos.create(example -> example.getSpec().setReplicas(11)))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("less than or equal to 10");
  }

  /** A Deployment, which is resynced as well, wakes nothing. */
  @Test
  void looksAtEachFooEvery30SecondsAndAtNoDeployment() {
    createExample();
    createOrphan();
    int runs = test.reconciles().size();
    int writes = foos.writes().size();
    long lines = foos.lines().size();
    test.advance(Duration.ofSeconds(100));
    assertThat(test.reconciles().subList(runs, test.reconciles().size()))
        .extracting(run -> run.object() + " " + run.outcome())
        .containsExactly(
            "default/example-foo success",
            "default/example-foo success",
            "default/example-foo success");
    assertThat(foos.writes()).hasSize(writes);
    assertThat(foos.lines().stream().skip(lines)).as("lines for what changes nothing").isEmpty();
  }

  /**
   * Creates a Deployment whose Foo does not exist, and which the garbage collector can't delete.
   */
  private void createOrphan() {
    Foo gone = FooArtifacts.exampleFoo("default");
    gone.getMetadata().setName("gone");
    gone.getMetadata().setUid("1-2-3");
    Deployment orphan = FooDeployment.of(gone, "orphan");
    orphan.getMetadata().setFinalizers(List.of("tests.windlass.dev/held"));
    test.create(orphan);
    test.advance(Duration.ofSeconds(5));
  }

  @Test
  void saysThatAFooIsGoneAndDoesNotTryAgain() {
    createOrphan();
    test.advance(Duration.ofMinutes(2));
    assertThat(foos.runs("gone")).as("created, available, marked for deletion").isBetween(1L, 3L);
    assertThat(foos.failures()).isZero();
    assertThat(foos.lines()).containsOnly(GONE).hasSize((int) foos.runs("gone"));
  }

  @Test
  void hasTwoWorkers() {
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      assertThat(FooOperator.register(manager).maxConcurrentReconciles()).isEqualTo(2);
    }
  }

  /** A deletion of the Deployment that no event reports is found by a list. */
  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void comesToTheSameEndWhateverFails() {
    createExample();
    foos.change(foo -> foo.getSpec().setReplicas(2));
    test.assertEventuallyStable();
    test.delete(Deployment.class, "default", "example-foo");
    test.assertEventuallyStable();
    assertThat(foos.deployment("example-foo").getSpec().getReplicas()).isEqualTo(2);
  }
}
