// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of Hellos that can't be had: the server refuses them, or, where they get past it,
 * the operator says what to do, once, and goes on with the others. On whatever API server.
 */
abstract class BadHellosContract {

  private static final String BAD = "bad";
  private static final String GOOD = "good";

  private final List<String> runs = new CopyOnWriteArrayList<>();
  private final AtomicInteger tries = new AtomicInteger();
  final String namespace = "bad-" + System.nanoTime();
  KubernetesClient kubectl;
  private KubernetesClient operatorClient;
  private @Nullable Manager manager;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  @BeforeEach
  void preparesANamespace() {
    kubectl = server().newClient();
    operatorClient = server().newClient();
    server().install(HelloArtifacts.crd());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  @AfterEach
  void stopsTheOperatorAndRestoresTheCrd() {
    if (manager != null) {
      assertThat(manager.stop()).as("stopped in time").isTrue();
    }
    operatorClient.close();
    changeCrd(crd -> crd.setSpec(HelloArtifacts.crd().getSpec()));
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }

  private void start(Variant variant) {
    Manager started = Manager.builder().client(operatorClient).namespace(namespace).build();
    manager = started;
    Controller controller =
        variant
            .controller(started)
            .listener((request, outcome, took) -> hear(request.name(), outcome))
            .register(started);
    started.start();
    eventually().until(controller::isReady);
  }

  private void hear(String name, Outcome outcome) {
    runs.add(name + " " + outcome);
  }

  private void changeCrd(Consumer<CustomResourceDefinition> change) {
    kubectl
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("hellos.myapp.whichxjy.com")
        .edit(
            crd -> {
              change.accept(crd);
              return crd;
            });
  }

  /** Until the end of the test: a CRD as it may have been when the Hello was written. */
  private void letsEverythingIn() {
    changeCrd(
        crd ->
            crd.getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .setOpenAPIV3Schema(
                    new JSONSchemaPropsBuilder()
                        .withType("object")
                        .withXKubernetesPreserveUnknownFields(true)
                        .build()));
  }

  /** A Hello as text, since the class has no room for what is wrong with it. */
  final Resource<GenericKubernetesResource> hello(String name, String fields) {
    String json =
        """
        {"apiVersion":"myapp.whichxjy.com/v1","kind":"Hello",
        "metadata":{"namespace":"%s","name":"%s"}%s}"""
            .formatted(namespace, name, fields);
    return kubectl
        .genericKubernetesResources("myapp.whichxjy.com/v1", "Hello")
        .inNamespace(namespace)
        .resource(Serialization.unmarshal(json, GenericKubernetesResource.class));
  }

  /** The server may take a while to take notice of another CRD. */
  private void createAsSoonAsAccepted(String fields) {
    eventually()
        .until(
            () -> {
              try {
                hello(BAD, fields).create();
                return true;
              } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(422);
                return false;
              }
            });
  }

  private void patch(String change) {
    hello(BAD, "").patch(PatchContext.of(PatchType.JSON_MERGE), change);
  }

  private HelloStatus status(String name) {
    return kubectl
        .resources(Hello.class)
        .inNamespace(namespace)
        .withName(name)
        .require()
        .getStatus();
  }

  private void awaitRunning(String name) {
    eventually().until(() -> "Running".equals(status(name).getPhase()));
    assertThat(Pods.get(kubectl, namespace, name)).isNotNull();
    assertThat(status(name).getConditions()).isEmpty();
  }

  private List<Event> warnings(String name) {
    return kubectl.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getType().equals("Warning"))
        .filter(event -> event.getRegarding().getName().equals(name))
        .toList();
  }

  private long runsOf(String name) {
    return runs.stream().filter(run -> run.startsWith(name + " ")).count();
  }

  /** Looks at the bad one once more, and at a good one. */
  private void isToldByOneEvent(String reason, String note) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(warnings(BAD))
                    .extracting(Event::getReason, Event::getNote)
                    .containsExactly(tuple(reason, note)));
    hello(GOOD, ",\"spec\":{\"helloTimes\":3}").create();
    awaitRunning(GOOD);
    long before = runsOf(BAD);
    patch("{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
    eventually().until(() -> runsOf(BAD) > before);
    hello("next", ",\"spec\":{\"helloTimes\":-7}").create();
    eventually().until(() -> !warnings("next").isEmpty()); // sent after all of the bad one
    assertThat(warnings(BAD)).hasSize(1);
    assertThat(warnings(BAD).get(0).getSeries()).as("once").isNull();
    assertThat(warnings(GOOD)).isEmpty();
    assertThat(Pods.get(kubectl, namespace, BAD)).isNull();
  }

  private void isCuredBy(String times) {
    patch("{\"spec\":{\"helloTimes\":" + times + "}}");
    awaitRunning(BAD);
    assertThat(
            Objects.requireNonNull(Pods.get(kubectl, namespace, BAD))
                .getSpec()
                .getContainers()
                .get(0)
                .getCommand())
        .last()
        .isEqualTo("seq " + times + " | xargs -I{} echo \"Hello\"");
    assertThat(warnings(BAD)).as("no more").hasSize(1);
  }

  /** The sentences are the server's. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`{\"helloTimes\":-1}` | spec.helloTimes in body should be greater than or equal to 0",
        "`{\"helloTimes\":\"3\"}` | spec.helloTimes in body must be of type integer: \"string\"",
        "`{\"helloTimes\":1.5}` | spec.helloTimes in body must be of type integer: \"number\"",
        "`[]` | spec in body must be of type object: \"array\"",
      })
  @Proves("003-40")
  void areRefusedByTheSchema(String spec, String sentence) {
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () -> hello("no-" + tries.incrementAndGet(), ",\"spec\":" + spec).create())
                    .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(422))
                    .hasMessageContaining(sentence));
  }

  @Test
  void areRefusedByTheirName() {
    assertThatThrownBy(() -> hello("Not_A_Name", "").create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining("a lowercase RFC 1123 subdomain must consist of");
  }

  /** Once, by a condition and an Event, and no Pod. */
  @ParameterizedTest
  @EnumSource
  void mayAskForLessThanNothing(Variant variant) {
    letsEverythingIn();
    start(variant);
    createAsSoonAsAccepted(",\"spec\":{\"helloTimes\":-1}");
    String message = "spec.helloTimes is -1: use zero or more";
    isToldByOneEvent("InvalidTimes", message);
    assertThat(status(BAD).getPhase()).isNull();
    assertThat(status(BAD).getConditions())
        .extracting(
            Condition::getType, Condition::getStatus, Condition::getReason, Condition::getMessage)
        .containsExactly(tuple("Stalled", "True", "InvalidTimes", message));
    assertThat(runs).as("not tried again").doesNotContain(BAD + " ERROR");
    isCuredBy("2");
  }

  /** The framework says so, for nobody can write a status into what can't be read. */
  @ParameterizedTest
  @EnumSource
  void areLeftAloneIfTheyDoNotFitTheClass(Variant variant) {
    letsEverythingIn();
    start(variant);
    createAsSoonAsAccepted(",\"spec\":{\"helloTimes\":\"many\"}");
    isToldByOneEvent(
        "Undecodable",
        "Hello does not fit dev.windlass.examples.hello.Hello at spec.helloTimes. Correct it to"
            + " match the CRD; until then it is skipped");
    assertThat(runs)
        .contains(BAD + " TERMINAL_ERROR")
        .as("not tried again")
        .doesNotContain(BAD + " ERROR");
    isCuredBy("2");
  }

  /** A Hello without a specification asks for no line, which is no mistake. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void mayHaveNoSpecification(String fields) {
    letsEverythingIn();
    start(Variant.OWNS);
    createAsSoonAsAccepted(fields);
    awaitRunning(BAD);
    assertThat(warnings(BAD)).isEmpty();
  }

  /** 1.4 MB, which is all that etcd takes, in a field that nobody knows. */
  @Test
  void mayBeLarge() {
    letsEverythingIn();
    start(Variant.OWNS);
    eventually()
        .until(
            () -> {
              String name = "large-" + tries.incrementAndGet();
              String text = "a".repeat(1_400_000);
              hello(name, ",\"spec\":{\"helloTimes\":1,\"text\":\"%s\"}".formatted(text)).create();
              awaitRunning(name);
              assertThat(warnings(name)).isEmpty();
              return Serialization.asJson(hello(name, "").require()).length() > 1_400_000;
            });
  }

  /** The server drops it. */
  @Test
  void loseAFieldThatNobodyKnows() {
    eventually()
        .until(
            () -> {
              String name = "unknown-" + tries.incrementAndGet();
              hello(name, ",\"spec\":{\"colour\":\"red\"}").create();
              return !Serialization.asJson(hello(name, "").require()).contains("colour");
            });
  }
}
