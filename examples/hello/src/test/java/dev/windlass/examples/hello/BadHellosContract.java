// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.LooseCrd;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of Hellos that can't be had and that the server accepts: the operator says what to
 * do, once, and goes on with the others. On whatever API server.
 */
abstract class BadHellosContract extends HelloHarness {

  private static final String BAD = "bad";
  private static final String GOOD = "good";

  private final List<String> runs = new CopyOnWriteArrayList<>();
  private LooseCrd hellos;

  @BeforeEach
  void knowsTheCrd() {
    hellos = new LooseCrd(kubectl, HelloArtifacts.crd(), namespace);
  }

  @AfterEach
  void restoresTheCrd() {
    hellos.restore();
  }

  private void start(Variant variant) {
    start(variant, (request, outcome, took) -> hear(request.name(), outcome));
  }

  private void hear(String name, Outcome outcome) {
    runs.add(name + " " + outcome);
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

  private long runsOf(String name) {
    return runs.stream().filter(run -> run.startsWith(name + " ")).count();
  }

  /** Looks at the bad one once more, and at a good one. */
  private void isToldByOneEvent(String reason, String note) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(hellos.warnings(BAD))
                    .extracting(Event::getReason, Event::getNote)
                    .containsExactly(tuple(reason, note)));
    hellos.object(GOOD, ",\"spec\":{\"helloTimes\":3}").create();
    awaitRunning(GOOD);
    long before = runsOf(BAD);
    hellos.patch(BAD, "{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
    eventually().until(() -> runsOf(BAD) > before);
    hellos.object("next", ",\"spec\":{\"helloTimes\":-7}").create();
    eventually().until(() -> !hellos.warnings("next").isEmpty()); // sent after all of the bad one
    assertThat(hellos.warnings(BAD)).hasSize(1);
    assertThat(hellos.warnings(BAD).get(0).getSeries()).as("once").isNull();
    assertThat(hellos.warnings(GOOD)).isEmpty();
    assertThat(Pods.get(kubectl, namespace, BAD)).isNull();
  }

  private void isCuredBy(String times) {
    hellos.patch(BAD, "{\"spec\":{\"helloTimes\":" + times + "}}");
    awaitRunning(BAD);
    assertThat(
            Objects.requireNonNull(Pods.get(kubectl, namespace, BAD))
                .getSpec()
                .getContainers()
                .get(0)
                .getCommand())
        .last()
        .isEqualTo("seq " + times + " | xargs -I{} echo \"Hello\"");
    assertThat(hellos.warnings(BAD)).as("no more").hasSize(1);
  }

  /** Once, by a condition and an Event, and no Pod. */
  @ParameterizedTest
  @EnumSource
  void mayAskForLessThanNothing(Variant variant) {
    hellos.acceptEverything();
    start(variant);
    hellos.createAsSoonAsAccepted(BAD, ",\"spec\":{\"helloTimes\":-1}");
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

  /** A Hello without a specification asks for no line, which is no mistake. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void mayHaveNoSpecification(String fields) {
    hellos.acceptEverything();
    start(Variant.OWNS);
    hellos.createAsSoonAsAccepted(BAD, fields);
    awaitRunning(BAD);
    assertThat(hellos.warnings(BAD)).isEmpty();
  }
}
