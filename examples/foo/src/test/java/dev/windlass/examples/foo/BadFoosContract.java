// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.examples.cli.testing.Edits;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What becomes of Foos that can't be had: the server refuses them, or, where they get past it, the
 * operator says what to do, once, and goes on with the others. On whatever API server.
 */
abstract class BadFoosContract extends FooHarness {

  private static final String GOOD = "good-foo";

  private final AtomicInteger tries = new AtomicInteger();

  /** Until the end of the test: a CRD as it may have been when the Foo was written. */
  private void letsEverythingIn() {
    changeCrd(
        crd -> {
          crd.getSpec()
              .getVersions()
              .get(0)
              .getSchema()
              .setOpenAPIV3Schema(
                  new JSONSchemaPropsBuilder()
                      .withType("object")
                      .withXKubernetesPreserveUnknownFields(true)
                      .build());
          return crd;
        });
  }

  @AfterEach
  void restoresTheCrd() {
    changeCrd(
        crd -> {
          crd.setSpec(FooArtifacts.crd().getSpec());
          return crd;
        });
  }

  private void changeCrd(UnaryOperator<CustomResourceDefinition> change) {
    Edits.edit(
        kubectl
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName("foos.samplecontroller.k8s.io"),
        change);
  }

  final MixedOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> foos() {
    return kubectl.genericKubernetesResources("samplecontroller.k8s.io/v1alpha1", "Foo");
  }

  /** A Foo as text, since the class has no room for what is wrong with it. */
  final GenericKubernetesResource foo(String name, String fields) {
    String json =
        """
        {"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo",
        "metadata":{"namespace":"%s","name":"%s"}%s}"""
            .formatted(namespace, name, fields);
    return Serialization.unmarshal(json, GenericKubernetesResource.class);
  }

  private void create(String name, String fields) {
    foos().inNamespace(namespace).resource(foo(name, fields)).create();
  }

  /** The server may take a while to take notice of another CRD. */
  private void createAsSoonAsAccepted(String fields) {
    eventually()
        .until(
            () -> {
              try {
                create(NAME, fields);
                return true;
              } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(422);
                return false;
              }
            });
  }

  private void cure(String spec) {
    foos()
        .inNamespace(namespace)
        .withName(NAME)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + spec + "}");
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

  private List<Event> warnings(String name) {
    return kubectl.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getType().equals("Warning"))
        .filter(event -> event.getRegarding().getName().equals(name))
        .toList();
  }

  private void createGood() {
    create(GOOD, ",\"spec\":{\"deploymentName\":\"%s\",\"replicas\":2}".formatted(GOOD));
    awaitSynced(GOOD);
    assertThat(awaitDeployment(GOOD).getSpec().getReplicas()).isEqualTo(2);
    assertThat(warnings(GOOD)).isEmpty();
  }

  private void awaitSynced(String name) {
    eventually()
        .until(
            () -> events("Synced").stream().anyMatch(e -> e.getRegarding().getName().equals(name)));
  }

  /** Looks at the bad one once more, and at a good one. */
  private void isToldByOneEvent(String reason, String note) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(warnings(NAME))
                    .extracting(Event::getReason, Event::getNote)
                    .containsExactly(tuple(reason, note)));
    int before = reconciled.of(Request.of(namespace, NAME));
    foos()
        .inNamespace(namespace)
        .withName(NAME)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
    eventually().until(() -> reconciled.of(Request.of(namespace, NAME)) > before);
    createGood(); // whose Event is sent after all that there was to tell of the bad one
    Event event = warnings(NAME).get(0);
    assertThat(warnings(NAME)).hasSize(1);
    assertThat(event.getSeries()).as("once").isNull();
    assertThat(event.getRegarding().getUid())
        .isEqualTo(foos().inNamespace(namespace).withName(NAME).require().getMetadata().getUid());
  }

  private void isToldByAConditionAndOneEvent(String reason, String message) {
    isToldByOneEvent(reason, message);
    assertThat(conditions(NAME))
        .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
        .containsExactly(tuple("Stalled", "True", reason));
    assertThat(conditions(NAME).get(0).getMessage()).isEqualTo(message);
  }

  private void isCuredBy(String spec) {
    cure(spec);
    awaitSynced(NAME);
    assertThat(conditions(NAME)).isEmpty();
    assertThat(warnings(NAME)).as("no more").hasSize(1);
  }

  /** The sentences are the server's. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`{\"replicas\":\"many\"}` | spec.replicas in body must be of type integer: \"string\"",
        "`{\"replicas\":0}` | spec.replicas in body should be greater than or equal to 1",
        "`{\"replicas\":11}` | spec.replicas in body should be less than or equal to 10",
        "`{\"deploymentName\":7}` | spec.deploymentName in body must be of type string: \"integer\"",
        "`[]` | spec in body must be of type object: \"array\"",
      })
  @Proves("001-91")
  void areRefusedByTheSchema(String spec, String sentence) {
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () -> create("no-" + tries.incrementAndGet(), ",\"spec\":" + spec))
                    .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(422))
                    .hasMessageContaining(sentence));
  }

  @Test
  void areRefusedByTheirName() {
    assertThatThrownBy(() -> create("Not_A_Name", ""))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining("a lowercase RFC 1123 subdomain must consist of");
  }

  /** The server drops it. */
  @Test
  void loseAFieldThatNobodyKnows() {
    create(NAME, ",\"spec\":{\"deploymentName\":\"example-foo\",\"colour\":\"red\"}");
    awaitSynced(NAME);
    assertThat(warnings(NAME)).isEmpty();
    assertThat(Serialization.asJson(foos().inNamespace(namespace).withName(NAME).require()))
        .doesNotContain("colour");
  }

  /** And where it does not, nobody is harmed. */
  @Test
  void mayHaveAFieldThatNobodyKnows() {
    letsEverythingIn();
    eventually()
        .until(
            () -> {
              String name = "try-" + tries.incrementAndGet();
              create(name, ",\"spec\":{\"deploymentName\":\"%s\",\"colour\":1}".formatted(name));
              awaitSynced(name);
              assertThat(warnings(name)).isEmpty();
              return Serialization.asJson(foos().inNamespace(namespace).withName(name).require())
                  .contains("colour");
            });
  }

  /** The framework says so, for nobody can write a status into what can't be read. */
  @Test
  void areLeftAloneIfTheyDoNotFitTheClass() {
    letsEverythingIn();
    createAsSoonAsAccepted(",\"spec\":{\"deploymentName\":\"example-foo\",\"replicas\":\"many\"}");
    isToldByOneEvent(
        "Undecodable",
        "Foo does not fit dev.windlass.examples.foo.Foo at spec.replicas. Correct it to match"
            + " the CRD; until then it is skipped");
    assertThat(deployment(NAME)).isNull();
    isCuredBy("{\"replicas\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void lackANameWithoutASpecification(String fields) {
    letsEverythingIn();
    createAsSoonAsAccepted(fields);
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
    eventually().until(() -> !warnings(NAME).isEmpty());
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
    awaitSynced("first");
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
    assertThat(warnings("first")).isEmpty();
    assertThat(Objects.requireNonNull(deployment("wanted")).getSpec().getReplicas()).isEqualTo(1);

    isCuredBy("{\"deploymentName\":\"another\"}");
    assertThat(awaitDeployment("another").getSpec().getReplicas()).isEqualTo(3);
    assertThat(awaitDeployment("wanted").getMetadata().getUid()).isEqualTo(uid);
  }
}
