// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.windlass.behaviour.Proves;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.examples.cli.testing.LooseCrd;
import dev.windlass.examples.cli.testing.Requests;
import dev.windlass.examples.cli.testing.Said;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the Foo operator promises, on whatever API server: subclasses only say which. Where a server
 * lacks something, its capabilities change what is expected.
 */
abstract class FooContract extends FooHarness {

  /** All that the original puts into it, in one write. */
  @Test
  @Proves({"001-03", "001-72", "001-81", "001-83"})
  void createsTheDeploymentOfANewFoo() {
    Foo foo = createFoo(example -> example.getSpec().setDeploymentName("other"));

    Deployment deployment = awaitDeployment("other");

    assertThat(deployment.getMetadata().getNamespace()).isEqualTo(namespace);
    assertThat(deployment.getMetadata().getOwnerReferences()).hasSize(1);
    OwnerReference owner = deployment.getMetadata().getOwnerReferences().get(0);
    assertThat(owner.getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(owner.getKind()).isEqualTo("Foo");
    assertThat(owner.getName()).isEqualTo(NAME);
    assertThat(owner.getUid()).isEqualTo(foo.getMetadata().getUid());
    assertThat(owner.getController()).isTrue();
    assertThat(owner.getBlockOwnerDeletion()).isTrue();
    Map<String, String> labels = Map.of("app", "nginx", "controller", NAME);
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
    assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels()).isEqualTo(labels);
    var containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    assertThat(containers).hasSize(1);
    assertThat(containers.get(0).getName()).isEqualTo("nginx");
    assertThat(containers.get(0).getImage()).isEqualTo("nginx:latest");
    awaitSynced();
    assertThat(requests.actions())
        .filteredOn(a -> !a.equals("PUT foos/status"))
        .containsExactly("POST deployments");
  }

  /** Without replicas in the Foo, the number is left to the Deployment. */
  @Test
  @Proves({"001-75", "001-84"})
  void leavesTheReplicasToTheDeploymentWhenTheFooNamesNone() {
    createFoo(example -> example.getSpec().setReplicas(null));
    awaitDeployment(NAME);
    awaitSynced();
    assertThat(requests.accepted().get(0).action()).isEqualTo("POST deployments");
    assertThat(requests.accepted().get(0).body()).doesNotContain("replicas");
    assertThat(requests.actions()).doesNotContain("PUT deployments");
  }

  /** One write, and it takes nothing away from others. */
  @Test
  @Proves({"001-04", "001-77", "001-93", "001-99"})
  void updatesTheReplicasAndNothingElse() {
    createExample();
    awaitDeployment(NAME);
    Edits.edit(
        kubectl.apps().deployments().inNamespace(namespace).withName(NAME),
        deployment -> deployment.getMetadata().getAnnotations().put("somebody", "else's"));

    changeFoo(foo -> foo.getSpec().setReplicas(3));

    awaitReplicas(3);
    assertThat(awaitDeployment(NAME).getMetadata().getAnnotations())
        .containsEntry("somebody", "else's");
    makeAvailable(3);
    awaitAvailable(3);
    assertThat(requests.actions()).contains("PUT deployments").doesNotContain("DELETE deployments");
  }

  /** What the Deployment reports is copied, and only when it differs. */
  @Test
  @Proves({"001-48", "001-85", "001-98"})
  void reportsTheAvailableReplicas() {
    createExample();
    awaitDeployment(NAME);
    makeAvailable(1);
    awaitAvailable(1);
    // The status is there a moment before the request's response, with which it is recorded.
    eventually()
        .untilAsserted(
            () ->
                assertThat(requests.accepted())
                    .filteredOn(call -> call.action().equals("PUT foos/status"))
                    .isNotEmpty()
                    .allSatisfy(
                        call -> assertThat(call.body()).contains("\"availableReplicas\":1")));
  }

  @Test
  @Proves({"001-48", "001-100", "004-09"})
  void createsADeletedDeploymentAgain() {
    Foo foo = createExample();
    Deployment first = awaitDeployment(NAME);
    awaitSynced();

    kubectl.resource(first).delete();

    awaitAnother(first);
    assertThat(Objects.requireNonNull(foo()).getMetadata().getUid())
        .isEqualTo(foo.getMetadata().getUid());
    assertThat(requests.actions()).filteredOn("POST deployments"::equals).hasSize(2);
  }

  /** The server's garbage collector deletes the Deployment, never we. */
  @Test
  @Proves({"001-05", "001-101"})
  void leavesTheDeploymentOfADeletedFooToTheGarbageCollector() {
    Foo foo = createExample();
    awaitDeployment(NAME);
    awaitSynced();

    kubectl.resource(foo).delete();

    eventually().until(() -> foo() == null);
    if (server().capabilities().garbageCollection()) {
      eventually().until(() -> deployment(NAME) == null);
    } else {
      assertThat(deployment(NAME)).isNotNull();
    }
    assertThat(requests.actions()).doesNotContain("DELETE deployments", "DELETE foos");
  }

  /** A warning and a condition for people, once; retries with a growing back-off, and hands off. */
  @Test
  @Proves({"001-74", "001-93", "R6"})
  void leavesADeploymentAloneThatItDoesNotControl() {
    Deployment foreign = kubectl.resource(FooArtifacts.foreignDeployment(namespace, NAME)).create();

    createExample();

    eventually().until(() -> runs.failures() > 2 && !events("ErrResourceExists").isEmpty());
    assertThat(events("ErrResourceExists")).hasSize(1);
    Event event = events("ErrResourceExists").get(0);
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo("Resource \"example-foo\" already exists and is not managed by Foo");
    assertThat(awaitDeployment(NAME).getSpec()).isEqualTo(foreign.getSpec());
    Condition stalled = Objects.requireNonNull(foo()).getStatus().getConditions().get(0);
    assertThat(stalled.getType()).isEqualTo("Stalled");
    assertThat(stalled.getStatus()).isEqualTo("True");
    assertThat(stalled.getReason()).isEqualTo("ErrResourceExists");
    assertThat(stalled.getMessage())
        .isEqualTo(
            event.getNote() + ": choose another spec.deploymentName, or delete the Deployment");
    assertThat(requests.actions()).as("one write, to say so").containsExactly("PUT foos/status");

    kubectl.resource(foreign).delete();

    eventually().until(() -> Objects.requireNonNull(foo()).getStatus().getConditions().isEmpty());
    awaitSynced();
    assertThat(requests.actions())
        .startsWith("PUT foos/status", "POST deployments", "PUT foos/status");
    assertThat(events("ErrResourceExists"))
        .as("told once, not by each retry")
        .singleElement()
        .matches(told -> told.getSeries() == null);
  }

  /** Whatever could not be written is tried again until it is. */
  @Test
  @Proves({"001-73", "001-76", "001-78"})
  void triesAgainWhatFailed() {
    requests.failNext("POST deployments", 2);
    requests.failNext("PUT foos/status", 1);
    createExample();
    awaitDeployment(NAME);
    makeAvailable(1);
    awaitAvailable(1);

    requests.failNext("PUT deployments", 2);
    changeFoo(foo -> foo.getSpec().setReplicas(3));

    awaitReplicas(3);
    assertThat(requests.hasFailedAll()).isTrue();
    assertThat(runs.failures()).isGreaterThanOrEqualTo(5);
  }

  /** Logged once, not retried, and nothing written but an Event; cured by an edit. */
  @Test
  @Proves("001-71")
  void waitsForTheDeploymentNameOfAFooThatHasNone() {
    try (Said logged = Said.by(FooReconciler.class.getName())) {
      createFoo(example -> example.getSpec().setDeploymentName(""));
      eventually().until(() -> !events("DeploymentNameMissing").isEmpty());
      assertThat(events("DeploymentNameMissing").get(0).getType()).isEqualTo("Warning");
      assertThat(events("DeploymentNameMissing").get(0).getNote())
          .isEqualTo("spec.deploymentName is missing: set the name of the Deployment to create");
      assertThat(logged.messages())
          .filteredOn(line -> line.startsWith(namespace + "/"))
          .containsExactly(namespace + "/" + NAME + ": deployment name must be specified");
    }
    assertThat(runs.failures()).isZero();
    assertThat(requests.actions()).isEmpty();
    changeFoo(foo -> foo.getSpec().setDeploymentName("late"));
    awaitDeployment("late");
    awaitSynced();
    assertThat(requests.actions())
        .filteredOn(a -> !a.equals("PUT foos/status"))
        .containsExactly("POST deployments");
  }

  /** One Event object, whose count grows with each sync. */
  @Test
  @Proves({"001-25", "001-26", "001-79", "001-80"})
  void recordsOneEventThatCountsTheSyncs() {
    Foo foo = createExample();
    awaitSynced();
    Event event = events("Synced").get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getRegarding().getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(event.getRegarding().getKind()).isEqualTo("Foo");
    assertThat(event.getRegarding().getUid()).isEqualTo(foo.getMetadata().getUid());

    changeFoo(changed -> changed.getSpec().setReplicas(2));

    eventually().until(() -> count(events("Synced").get(0)) > count(event));
    assertThat(events("Synced")).hasSize(1);
  }

  /** A reconcile of objects in their desired state writes nothing. */
  @Test
  @Proves({"000-01", "001-86", "001-93"})
  void writesNothingInAConvergedWorld() {
    createExample();
    awaitDeployment(NAME);
    makeAvailable(1);
    awaitAvailable(1);
    manager.stop();
    operatorClient.close();
    int before = events("Synced").stream().mapToInt(FooContract::count).sum();
    Requests later = new Requests();
    operatorClient = later.client(server().clientConfig());

    manager = startManager(operatorClient);

    eventually().until(() -> events("Synced").stream().mapToInt(FooContract::count).sum() > before);
    assertThat(later.writes()).as("not even in vain").isEmpty();
  }

  /** Reads of watched types come from the cache. */
  @Test
  @Proves({"001-68", "003-25"})
  void readsFromTheCache() {
    createExample();
    awaitDeployment(NAME);
    awaitSynced();
    assertThat(requests.sent(sent -> sent.line().matches("GET .*/(foos|deployments)/[^/]+")))
        .isEmpty();
  }

  /** The status belongs to the operator. */
  @Test
  @Proves("001-07")
  void ownsTheStatus() {
    createFoo(
        example -> {
          example.getStatus().setAvailableReplicas(99);
        });
    assertThat(Objects.requireNonNull(foo()).getStatus().getAvailableReplicas()).isNotEqualTo(99);
  }

  /** At most ten replicas, says the schema; where nobody checks it, they are created. */
  @Test
  @Proves("001-91")
  void hasASchemaWithBounds() {
    Consumer<Foo> tooMany = example -> example.getSpec().setReplicas(11);
    if (server().capabilities().schemaValidation()) {
      assertThatThrownBy(() -> createFoo(tooMany))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("less than or equal to 10");
    } else {
      createFoo(tooMany);
      assertThat(awaitDeployment(NAME).getSpec().getReplicas()).isEqualTo(11);
    }
  }

  /** What becomes of Foos that can't be had: the operator says what to do, once, and goes on. */
  @Nested
  final class OnBadFoos {

    private static final String GOOD = "good-foo";

    private LooseCrd bad;

    @BeforeEach
    void knowsTheCrd() {
      bad = new LooseCrd(kubectl, FooArtifacts.crd(), namespace);
      assumeTrue(server().capabilities().schemaValidation(), "there is no schema to loosen");
    }

    @AfterEach
    void restoresTheCrd() {
      bad.restore();
    }

    private void create(String name, String fields) {
      bad.object(name, fields).create();
    }

    private List<Condition> conditions(String name) {
      return kubectl
          .resources(Foo.class)
          .inNamespace(namespace)
          .withName(name)
          .require()
          .getStatus()
          .getConditions();
    }

    private void createGood() {
      create(GOOD, ",\"spec\":{\"deploymentName\":\"%s\",\"replicas\":2}".formatted(GOOD));
      awaitSyncedOf(GOOD);
      assertThat(awaitDeployment(GOOD).getSpec().getReplicas()).isEqualTo(2);
      assertThat(bad.warnings(GOOD)).isEmpty();
    }

    private void awaitSyncedOf(String name) {
      eventually()
          .until(
              () ->
                  events("Synced").stream().anyMatch(e -> e.getRegarding().getName().equals(name)));
    }

    /** Looks at the bad one once more, and at a good one. */
    private void isToldByOneEvent(String reason, String note) {
      eventually()
          .untilAsserted(
              () ->
                  assertThat(bad.warnings(NAME))
                      .extracting(Event::getReason, Event::getNote)
                      .containsExactly(tuple(reason, note)));
      String key = namespace + "/" + NAME;
      long before = runs.of(key);
      bad.patch(NAME, "{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
      eventually().until(() -> runs.of(key) > before);
      createGood(); // whose Event is sent after all that there was to tell of the bad one
      Event event = bad.warnings(NAME).get(0);
      assertThat(bad.warnings(NAME)).hasSize(1);
      assertThat(event.getSeries()).as("once").isNull();
      assertThat(event.getRegarding().getUid())
          .isEqualTo(bad.object(NAME, "").require().getMetadata().getUid());
    }

    private void isToldByAConditionAndOneEvent(String reason, String message) {
      isToldByOneEvent(reason, message);
      assertThat(conditions(NAME))
          .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
          .containsExactly(tuple("Stalled", "True", reason));
      assertThat(conditions(NAME).get(0).getMessage()).isEqualTo(message);
    }

    private void isCuredBy(String spec) {
      bad.patch(NAME, "{\"spec\":" + spec + "}");
      awaitSyncedOf(NAME);
      assertThat(conditions(NAME)).isEmpty();
      assertThat(bad.warnings(NAME)).as("no more").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
        quoteCharacter = '`',
        value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
    void lackANameWithoutASpecification(String fields) {
      bad.acceptEverything();
      bad.createAsSoonAsAccepted(NAME, fields);
      isToldByAConditionAndOneEvent(
          "DeploymentNameMissing",
          "spec.deploymentName is missing: set the name of the Deployment to create");
      isCuredBy("{\"deploymentName\":\"late\"}");
      awaitDeployment("late");
    }

    /** Of the Deployment that the server refuses. */
    @Test
    void mayAskForANameThatNoDeploymentCanHave() {
      create(NAME, ",\"spec\":{\"deploymentName\":\"Not_A_Name\"}");
      eventually().until(() -> !bad.warnings(NAME).isEmpty());
      assertThat(conditions(NAME).get(0).getMessage())
          .startsWith("The API server rejected the Deployment; correct the Foo: ")
          .contains("Not_A_Name", "a lowercase RFC 1123 subdomain must consist of");
      isToldByAConditionAndOneEvent("InvalidDeployment", conditions(NAME).get(0).getMessage());
      isCuredBy("{\"deploymentName\":\"a-name\"}");
    }

    /** 1.4 MB, which is all that etcd takes; what people read stays short. */
    @Test
    void mayBeLarge() {
      create(NAME, ",\"spec\":{\"deploymentName\":\"%s\"}".formatted("a".repeat(1_400_000)));
      isToldByAConditionAndOneEvent(
          "DeploymentNameTooLong", "spec.deploymentName has 1400000 characters: use 253 at most");
      isCuredBy("{\"deploymentName\":\"short\"}");
    }

    /** Who came first has it. */
    @Test
    @Proves("001-74")
    void mayAskForTheDeploymentOfAnother() {
      create("first", ",\"spec\":{\"deploymentName\":\"wanted\",\"replicas\":1}");
      awaitSyncedOf("first");
      String uid = awaitDeployment("wanted").getMetadata().getUid();
      create(NAME, ",\"spec\":{\"deploymentName\":\"wanted\",\"replicas\":3}");

      String note = "Resource \"wanted\" already exists and is not managed by Foo";
      isToldByOneEvent("ErrResourceExists", note);
      assertThat(conditions(NAME))
          .extracting(Condition::getType, Condition::getStatus, Condition::getMessage)
          .containsExactly(
              tuple(
                  "Stalled",
                  "True",
                  note + ": choose another spec.deploymentName, or delete the Deployment"));
      assertThat(conditions("first")).isEmpty();
      assertThat(bad.warnings("first")).isEmpty();
      assertThat(Objects.requireNonNull(deployment("wanted")).getSpec().getReplicas()).isEqualTo(1);

      isCuredBy("{\"deploymentName\":\"another\"}");
      assertThat(awaitDeployment("another").getSpec().getReplicas()).isEqualTo(3);
      assertThat(awaitDeployment("wanted").getMetadata().getUid()).isEqualTo(uid);
    }
  }
}
